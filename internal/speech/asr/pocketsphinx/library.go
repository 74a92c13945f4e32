package pocketsphinx

import (
	"fmt"
	"io"
	"os"
	"reflect"

	"github.com/ebitengine/purego"

	"parley/internal/words/fault"
)

// remedy says how to install the engine.
const remedy = "install the packages libpocketsphinx3 and pocketsphinx-en-us"

// library holds the C functions that the decoder needs, as declared in pocketsphinx.h and sphinxbase. The tags are
// their C names. Pointers to C objects are uintptr. The result of lookup must be released.
type library struct {
	arguments     func() uintptr                                                         `c:"ps_args"`
	parse         func(into, definitions uintptr, n int32, argv **byte, s int32) uintptr `c:"cmd_ln_parse_r"`
	freeConfig    func(config uintptr) int32                                             `c:"cmd_ln_free_r"`
	setLog        func(file uintptr)                                                     `c:"err_set_logfp"`
	init          func(config uintptr) uintptr                                           `c:"ps_init"`
	free          func(decoder uintptr) int32                                            `c:"ps_free"`
	startUtt      func(decoder uintptr) int32                                            `c:"ps_start_utt"`
	process       func(decoder uintptr, frames **float32, n, noSearch, full int32) int32 `c:"ps_process_cep"`
	endUtt        func(decoder uintptr) int32                                            `c:"ps_end_utt"`
	segments      func(decoder uintptr, score uintptr) uintptr                           `c:"ps_seg_iter"`
	nextSegment   func(segment uintptr) uintptr                                          `c:"ps_seg_next"`
	segmentWord   func(segment uintptr) string                                           `c:"ps_seg_word"`
	segmentFrames func(segment uintptr, first, last *int32)                              `c:"ps_seg_frames"`
	segmentProb   func(segment uintptr, acoustic, language, backoff *int32) int32        `c:"ps_seg_prob"`
	logMath       func(decoder uintptr) uintptr                                          `c:"ps_get_logmath"`
	exp           func(logMath uintptr, p int32) float64                                 `c:"logmath_exp"`
	lookup        func(decoder uintptr, word string) *byte                               `c:"ps_lookup_word"`
	release       func(memory *byte)                                                     `c:"ckd_free"`
	addWord       func(decoder uintptr, word, phones string, update int32) int32         `c:"ps_add_word"`
	model         func(decoder uintptr, name string) uintptr                             `c:"ps_get_lm"`
	readGrammar   func(file string, logMath uintptr, weight float32) uintptr             `c:"fsg_model_readfile"`
	freeGrammar   func(grammar uintptr) int32                                            `c:"fsg_model_free"`
	giveGrammar   func(decoder uintptr, name string, grammar uintptr) int32              `c:"ps_set_fsg"`
	setSearch     func(decoder uintptr, name string) int32                               `c:"ps_set_search"`
	wordID        func(model uintptr, word string) int32                                 `c:"ngram_wid"`
	unknownID     func(model uintptr) int32                                              `c:"ngram_unknown_wid"`
	retainModel   func(model uintptr) uintptr                                            `c:"ngram_model_retain"`
	freeModel     func(model uintptr) int32                                              `c:"ngram_model_free"`
	setModel      func(decoder uintptr, name string, model uintptr) int32                `c:"ps_set_lm"`
	lattice       func(decoder uintptr) uintptr                                          `c:"ps_get_lattice"`
	writeLattice  func(lattice uintptr, file string) int32                               `c:"ps_lattice_write"`
	writeModel    func(model uintptr, file string, format int32) int32                   `c:"ngram_model_write"`
	newLogMath    func(base float64, shift, table int32) uintptr                         `c:"logmath_init"`
	freeLogMath   func(logMath uintptr) int32                                            `c:"logmath_free"`
	weigh         func(set uintptr, names **byte, weights *float32) uintptr              `c:"ngram_model_set_interp"`

	readModel   func(config uintptr, file string, format int32, logMath uintptr) uintptr       `c:"ngram_model_read"`
	probability func(model uintptr, word int32, before *int32, count int32, used *int32) int32 `c:"ngram_ng_prob"`

	blendModels func(
		config uintptr, models *uintptr, names **byte, weights *float32, count int32,
	) uintptr `c:"ngram_model_set_init"`
}

// load opens the shared libraries and looks up the functions. sphinxbase is loaded first and both are global, because
// libpocketsphinx resolves its symbols from there.
func load() (*library, error) {
	for _, name := range []string{"libsphinxbase.so.3", "libpocketsphinx.so.3"} {
		if _, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL); err != nil {
			return nil, unavailable("cannot load %s; %s: %w", name, remedy, err)
		}
	}
	l := new(library)
	for field, function := range reflect.ValueOf(l).Elem().Fields() {
		name := field.Tag.Get("c")
		address, err := purego.Dlsym(purego.RTLD_DEFAULT, name)
		if err != nil {
			return nil, unavailable("the installed PocketSphinx lacks the function %s; %s: %w", name, remedy, err)
		}
		purego.RegisterFunc(reflect.NewAt(field.Type, function.Addr().UnsafePointer()).Interface(), address)
	}
	return l, nil
}

// configure parses options in command-line syntax.
func (l *library) configure(options []string) (uintptr, error) {
	argv := cStrings(options)
	config := l.parse(0, l.arguments(), int32(len(argv)), &argv[0], 1)
	if config == 0 {
		return 0, fmt.Errorf("PocketSphinx rejected the options %q", options)
	}
	return config, nil
}

// cStrings returns pointers to zero-terminated copies.
func cStrings(texts []string) []*byte {
	all := make([]*byte, len(texts))
	for i, t := range texts {
		all[i] = &append([]byte(t), 0)[0]
	}
	return all
}

// piped returns the reading end of a pipe, into which write writes in the background, and its path for the library.
// What callers said passes through pipes, never through files.
func piped(write func(io.Writer)) (r *os.File, path string, err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, "", err
	}
	go func() {
		defer w.Close()
		write(w) // the library rejects a truncated file
	}()
	return r, fmt.Sprintf("/dev/fd/%d", r.Fd()), nil
}

func unavailable(format string, args ...any) error {
	return fault.New(fault.Unavailable, fault.CodeEngineFailed, format, args...)
}

func failed(format string, args ...any) error {
	return fault.New(fault.Internal, fault.CodeEngineFailed, format, args...)
}
