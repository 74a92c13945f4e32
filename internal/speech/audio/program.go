package audio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"parley/internal/host/sandbox"
	"parley/internal/words/fault"
)

// input is the recording's path in the child: an inherited open file. So neither the program nor its messages contain
// a local path, and the path cannot be parsed as a protocol.
const input = "file:/dev/fd/3"

// demuxers are the formats that may be probed. Playlists (concat, hls, dash), devices, images and text are excluded,
// whatever the first bytes of a file look like.
const demuxers = "8svx,aa,aac,aax,ac3,aea,aiff,alaw,amr,amrnb,amrwb,ape,asf,asf_o,ast,au,avi,caf,dff,dsf,dss,dts,dtshd," +
	"eac3,flac,flv,g722,g723_1,g726,g726le,g729,gsm,ilbc,ircam,iff,loas,matroska,mov,mp3,mpc,mpc8,mpeg,mpegts,mulaw,mxf," +
	"nistsphere,nsv,nut,ogg,oma,paf,pvf,qcp,rm,rso,s16le,sds,shn,sln,sol,sox,tak,tta,voc,vqf,w64,wav,wsd,wtv,wv,xa,xwma"

// confinement returns the input options that restrict a child to that one file.
func confinement() []string {
	return []string{"-protocol_whitelist", "file,pipe", "-format_whitelist", demuxers}
}

// headerless maps content types of formats without a header to their input options.
var headerless = map[string][]string{
	"audio/gsm":    {"-f", "gsm"},
	"audio/pcmu":   {"-f", "mulaw", "-ar", "8000"},
	"audio/pcma":   {"-f", "alaw", "-ar", "8000"},
	"audio/x-sln":  {"-f", "sln"},
	"audio/g722":   {"-f", "g722"},
	"audio/g729":   {"-f", "g729"},
	"audio/g723":   {"-f", "g723_1"},
	"audio/x-g726": {"-f", "g726", "-code_size", "4"},
}

// patience is the ratio of a child's wall-clock limit to its processor time limit: it waits for disks and for its
// parent.
const patience = 10

// program is one run of ffmpeg or ffprobe over a media file.
type program struct {
	cmd    *exec.Cmd
	ctx    context.Context // cancelled when the time limit is exceeded
	caller context.Context
	cancel context.CancelFunc
	limits sandbox.Limits
	said   messages
}

// open opens a recording so that a child can reopen it by its descriptor, and returns its size in bytes. If the process
// is root, children run as another user; they get a copy of a file that only root can read.
func (d *Decoder) open(path string) (_ *os.File, size int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, fmt.Errorf("open media: %w", err)
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, 0, fmt.Errorf("open media: %w", err)
	}
	if sandbox.Readable(file) {
		return file, info.Size(), nil
	}
	defer file.Close()
	copied, err := nameless(d.temp(), "parley-media-*")
	if err != nil {
		return nil, 0, err
	}
	_, err = io.Copy(copied, file)
	copied, err = rewound(copied, err)
	return copied, info.Size(), err
}

// allowance is the processor time limit for a file size. Formats decode at 1,000 times real time or faster, and a MiB
// contains at most some hours of speech.
func (d *Decoder) allowance(size int64) time.Duration {
	return d.Limits.orDefault().CPU + time.Duration(size>>20)*2*time.Second
}

// program prepares a child with the file as descriptor 3 and a limit of processor time.
func (d *Decoder) program(
	caller context.Context, name string, file *os.File, cpu time.Duration, args ...string,
) *program {
	limits := d.Limits.orDefault()
	ctx, cancel := context.WithCancel(caller)
	p := &program{ctx: ctx, caller: caller, cancel: cancel, // not nice: work in processor slots would outrun it
		limits: sandbox.Limits{Memory: limits.Memory, CPU: cpu, FileSize: 1}}
	p.cmd = sandbox.Command(ctx, name, args...)
	p.cmd.ExtraFiles = []*os.File{file}
	p.cmd.Stderr = &p.said
	return p
}

// run passes the child's output to read, waits for its end and returns the error of read, or the child's failure as a
// fault. A child that exits with a nonzero status is not an error; see exited.
func (p *program) run(read func(io.Reader) error) (exited int, err error) {
	defer p.cancel()
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := sandbox.Start(p.cmd, p.limits); err != nil {
		return 0, missing(err)
	}
	defer sandbox.Watch(p.cmd.Process.Pid, patience*p.limits.CPU, p.cancel)()
	failed := read(out)
	if failed != nil {
		p.cancel()
	}
	err = sandbox.Wait(p.cmd)
	if failed != nil && p.caller.Err() == nil {
		return 0, failed
	}
	return p.verdict(err)
}

func (p *program) verdict(err error) (exited int, _ error) {
	state := p.cmd.ProcessState
	switch {
	case p.caller.Err() != nil:
		return 0, fmt.Errorf("decode media: %w", context.Cause(p.caller))
	case state == nil:
		return 0, err
	case state.UserTime()+state.SystemTime() >= p.limits.CPU:
		return 0, fault.New(fault.Invalid, fault.CodeDecode,
			"decoding this file needs more than the limit of %v of processor time", p.limits.CPU)
	case p.ctx.Err() != nil:
		return 0, fault.New(fault.Internal, fault.CodeDecode, "%s did not exit within %v", p.cmd.Args[0],
			patience*p.limits.CPU)
	}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() && status.Signal() == syscall.SIGKILL {
		return 0, fault.New(fault.Internal, fault.CodeDecode, "%s was killed, possibly because it ran out of memory",
			p.cmd.Args[0])
	}
	if _, ok := errors.AsType[*exec.ExitError](err); ok {
		return state.ExitCode(), nil // -1 if it was killed by a signal
	}
	return 0, err
}

// missing explains why a child could not be started.
func missing(err error) error {
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) {
		return fault.New(fault.Unavailable, fault.CodeUnavailable,
			"cannot start ffmpeg (%w); install it, on Debian and Ubuntu with apt-get install ffmpeg", err)
	}
	return fault.New(fault.Unavailable, fault.CodeUnavailable, "start a decoder: %w", err)
}

// messages stores the first lines of a child's standard error, and counts all of them.
type messages struct {
	text  []byte
	lines int
}

const keptMessages = 8 << 10

// Write consumes all of p and stores the beginning.
func (m *messages) Write(p []byte) (int, error) {
	m.lines += strings.Count(string(p), "\n")
	m.text = append(m.text, p[:min(len(p), keptMessages-len(m.text))]...)
	return len(p), nil
}
