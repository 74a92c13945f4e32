package powerloss

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// Disk is a mounted file system that records what is done to it.
type Disk struct {
	server *fuse.Server

	mu    sync.Mutex // over all files, so that the trace has the order of the effects
	trace Trace
	next  int64 // number of the next file
	full  bool
}

// Supported returns why no Disk can be mounted here; nil if one can.
func Supported() error {
	f, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("a file system of this program needs /dev/fuse and root: %w", err)
	}
	if err := f.Close(); err != nil {
		return err
	}
	if os.Geteuid() != 0 {
		return errors.New("a file system of this program needs root")
	}
	return nil
}

// Mount mounts an empty file system on a folder. Programs other than this one can use it.
func Mount(dir string) (*Disk, error) {
	d := &Disk{next: Root + 1}
	long := time.Hour // nobody but the kernel changes the files
	server, err := fs.Mount(dir, &node{disk: d, id: Root, mode: 0o700}, &fs.Options{
		EntryTimeout: &long, AttrTimeout: &long, RootStableAttr: &fs.StableAttr{Ino: Root},
		MountOptions: fuse.MountOptions{DirectMountStrict: true, DisableXAttrs: true, FsName: "powerloss", Name: "powerloss",
			AllowOther: true}, // decoders run as another user
	})
	if err != nil {
		return nil, fmt.Errorf("mount a file system: %w", err)
	}
	d.server = server
	return d, keepDevice()
}

// keepDevice keeps programs that this one starts from inheriting the device of the file system. Otherwise the kernel
// would wait for them to serve it after this program has died, and they could not be killed.
func keepDevice() error {
	open, err := os.ReadDir("/proc/self/fd")
	for _, e := range open {
		fd, number := strconv.Atoi(e.Name())
		if to, _ := os.Readlink("/proc/self/fd/" + e.Name()); number == nil && to == "/dev/fuse" {
			syscall.CloseOnExec(fd)
		}
	}
	return err
}

// Unmount ends the file system, which must not be in use.
func (d *Disk) Unmount() error { return d.server.Unmount() }

// Now returns the number of operations until now: the instant of a loss of power that comes now.
func (d *Disk) Now() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.trace)
}

// Trace returns all operations until now.
func (d *Disk) Trace() Trace {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.trace[:len(d.trace):len(d.trace)]
}

// Fill says whether the disk is full: nothing can be written or created until it no longer is.
func (d *Disk) Fill(full bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full = full
}

// record adds an operation; d.mu is held.
func (d *Disk) record(op Op) { d.trace = append(d.trace, op) }

// node is a file or folder. The tree of names is in the embedded Inode.
type node struct {
	fs.Inode
	disk *Disk
	id   int64

	mode  uint32 // these are guarded by disk.mu
	data  []byte
	mtime time.Time
}

// child makes a new file or folder with a name in this folder; d.mu is held.
func (n *node) child(ctx context.Context, op Op, mode uint32, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	d := n.disk
	if d.full {
		return nil, syscall.ENOSPC
	}
	c := &node{disk: d, id: d.next, mode: mode & 0o777, mtime: time.Now()}
	d.next++
	kind := uint32(fuse.S_IFREG)
	if op.Kind == Mkdir {
		kind = fuse.S_IFDIR
	}
	inode := n.NewPersistentInode(ctx, c, fs.StableAttr{Mode: kind, Ino: uint64(c.id)})
	op.File, op.Dir = c.id, n.id
	d.record(op)
	c.attr(&out.Attr)
	return inode, 0
}

// attr fills in attributes; d.mu is held.
func (n *node) attr(out *fuse.Attr) {
	out.Mode, out.Size, out.Nlink, out.Blksize = n.mode, uint64(len(n.data)), 1, 4096
	out.Blocks = (out.Size + 511) / 512
	out.SetTimes(&n.mtime, &n.mtime, &n.mtime)
}

func (n *node) Create(ctx context.Context, name string, _, mode uint32, out *fuse.EntryOut) (
	*fs.Inode, fs.FileHandle, uint32, syscall.Errno,
) {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	inode, errno := n.child(ctx, Op{Kind: Create, Name: name}, mode, out)
	return inode, nil, 0, errno
}

func (n *node) Mkdir(ctx context.Context, name string, mode uint32, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	return n.child(ctx, Op{Kind: Mkdir, Name: name}, mode, out)
}

func (n *node) Link(_ context.Context, target fs.InodeEmbedder, name string, out *fuse.EntryOut) (
	*fs.Inode, syscall.Errno,
) {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	file := target.(*node)
	if n.disk.full {
		return nil, syscall.ENOSPC
	}
	n.disk.record(Op{Kind: Link, Dir: n.id, Name: name, File: file.id})
	file.attr(&out.Attr)
	return file.EmbeddedInode(), 0
}

func (n *node) Unlink(_ context.Context, name string) syscall.Errno {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	n.disk.record(Op{Kind: Unlink, Dir: n.id, Name: name})
	return 0
}

func (n *node) Rmdir(ctx context.Context, name string) syscall.Errno {
	if len(n.GetChild(name).Children()) > 0 {
		return syscall.ENOTEMPTY
	}
	return n.Unlink(ctx, name)
}

func (n *node) Rename(_ context.Context, name string, to fs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	folder, file := to.(*node), n.GetChild(name).Operations().(*node)
	if there := folder.GetChild(newName); flags != 0 || there != nil && there.IsDir() && len(there.Children()) > 0 {
		if flags == 0 {
			return syscall.ENOTEMPTY
		}
		return syscall.EINVAL // exchanges and whiteouts
	}
	n.disk.record(Op{Kind: Rename, Dir: n.id, Name: name, File: file.id, ToDir: folder.id, To: newName})
	return 0
}

func (n *node) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	return nil, fuse.FOPEN_KEEP_CACHE, 0
}

func (n *node) Read(_ context.Context, _ fs.FileHandle, to []byte, offset int64) (fuse.ReadResult, syscall.Errno) {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	size := int64(len(n.data))
	count := copy(to, n.data[min(offset, size):])
	return fuse.ReadResultData(to[:count]), 0
}

func (n *node) Write(_ context.Context, _ fs.FileHandle, data []byte, offset int64) (uint32, syscall.Errno) {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	if n.disk.full {
		return 0, syscall.ENOSPC
	}
	if end := offset + int64(len(data)); end > int64(len(n.data)) {
		n.data = resized(n.data, end)
	}
	copy(n.data[offset:], data)
	n.mtime = time.Now()
	n.disk.record(Op{Kind: Write, File: n.id, Offset: offset, Data: append([]byte(nil), data...)})
	return uint32(len(data)), 0
}

func (n *node) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	n.disk.record(Op{Kind: Sync, File: n.id})
	return 0
}

func (n *node) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	n.attr(&out.Attr)
	return 0
}

func (n *node) Setattr(_ context.Context, _ fs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	if mode, ok := in.GetMode(); ok {
		n.mode = mode & 0o777
	}
	if size, ok := in.GetSize(); ok {
		n.data = resized(n.data, int64(size))
		n.disk.record(Op{Kind: Truncate, File: n.id, Offset: int64(size)})
	}
	if at, ok := in.GetMTime(); ok {
		n.mtime = at
	}
	n.attr(&out.Attr)
	return 0
}

// room is the free space of a disk that is not full, in blocks of 4 KiB.
const room = 1 << 24

func (n *node) Statfs(_ context.Context, out *fuse.StatfsOut) syscall.Errno {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	out.Bsize, out.Blocks, out.NameLen = 4096, 2*room, 255
	if !n.disk.full {
		out.Bfree, out.Bavail = room, room
	}
	return 0
}
