package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"parley/internal/host/scratch"
)

// folders is the folder of the scratch folders of this process's children. If this process is killed, the next one
// removes them. It is below the system's temporary folder rather than the data directory, which children that run as
// another user cannot traverse.
var folders = sync.OnceValues(func() (*scratch.Folder, error) {
	root := filepath.Join(os.TempDir(), fmt.Sprintf("parley-children-%d", os.Geteuid()))
	if err := os.Mkdir(root, 0o711); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	if err := ours(root); err != nil {
		return nil, err
	}
	folder, err := scratch.New(root)
	if err != nil {
		return nil, err
	}
	return folder, os.Chmod(folder.Path(), 0o711)
})

const scratchPrefix = "child-"

// newScratch creates a folder that only its owner can enter.
func newScratch(o *owner) (string, error) {
	all, err := folders()
	if err != nil {
		return "", err
	}
	path, err := os.MkdirTemp(all.Path(), scratchPrefix)
	if err == nil && o != nil {
		err = os.Chown(path, o.UID, o.GID)
		if errors.Is(err, os.ErrPermission) { // then root cannot become another user either, and owns it
			err = nil
		}
	}
	return path, err
}

// removeScratch removes the scratch folder of cmd, if any.
func removeScratch(cmd *exec.Cmd) {
	for _, v := range cmd.Env {
		path, found := strings.CutPrefix(v, "TMPDIR=")
		if !found || !strings.HasPrefix(filepath.Base(path), scratchPrefix) {
			continue
		}
		if all, err := folders(); err == nil && filepath.Dir(path) == all.Path() {
			os.RemoveAll(path)
		}
	}
}
