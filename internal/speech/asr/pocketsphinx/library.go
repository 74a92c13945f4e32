package pocketsphinx

import (
	"fmt"

	"github.com/ebitengine/purego"

	"parley/internal/words/fault"
)

// remedy says how to install the engine.
const remedy = "install the packages libpocketsphinx3 and pocketsphinx-en-us"

// library holds the C functions that the decoder needs, as declared in pocketsphinx.h and sphinxbase. Pointers to C
// objects are uintptr.
type library struct {
	arguments     func() uintptr                                                         // ps_args
	parse         func(into, definitions uintptr, n int32, argv **byte, s int32) uintptr // cmd_ln_parse_r
	freeConfig    func(config uintptr) int32                                             // cmd_ln_free_r
	setLog        func(file uintptr)                                                     // err_set_logfp
	init          func(config uintptr) uintptr                                           // ps_init
	free          func(decoder uintptr) int32                                            // ps_free
	startUtt      func(decoder uintptr) int32                                            // ps_start_utt
	process       func(decoder uintptr, frames **float32, n, noSearch, full int32) int32 // ps_process_cep
	endUtt        func(decoder uintptr) int32                                            // ps_end_utt
	segments      func(decoder uintptr, score uintptr) uintptr
	nextSegment   func(segment uintptr) uintptr
	segmentWord   func(segment uintptr) string
	segmentFrames func(segment uintptr, first, last *int32)
	segmentProb   func(segment uintptr, acoustic, language, backoff *int32) int32
	logMath       func(decoder uintptr) uintptr
	exp           func(logMath uintptr, p int32) float64
	lookup        func(decoder uintptr, word string) *byte // ps_lookup_word, to be freed
	release       func(memory *byte)                       // ckd_free
	addWord       func(decoder uintptr, word, phones string, update int32) int32
	model         func(decoder uintptr, name string) uintptr                 // ps_get_lm
	readGrammar   func(file string, logMath uintptr, weight float32) uintptr // fsg_model_readfile
	freeGrammar   func(grammar uintptr) int32                                // fsg_model_free
	giveGrammar   func(decoder uintptr, name string, grammar uintptr) int32  // ps_set_fsg
	setSearch     func(decoder uintptr, name string) int32                   // ps_set_search
	wordID        func(model uintptr, word string) int32                     // ngram_wid
	unknownID     func(model uintptr) int32                                  // ngram_unknown_wid

	// ngram_model_read
	readModel func(config uintptr, file string, format int32, logMath uintptr) uintptr
	// ngram_model_set_lookup
	modelOfSet func(set uintptr, name string) uintptr
	// ngram_model_retain
	retainModel func(model uintptr) uintptr
	// ngram_model_free
	freeModel func(model uintptr) int32
	// ngram_model_set_init
	blendModels  func(config uintptr, models *uintptr, names **byte, weights *float32, count int32) uintptr
	setModel     func(decoder uintptr, name string, model uintptr) int32                        // ps_set_lm
	lattice      func(decoder uintptr) uintptr                                                  // ps_get_lattice
	writeLattice func(lattice uintptr, file string) int32                                       // ps_lattice_write
	probability  func(model uintptr, word int32, before *int32, count int32, used *int32) int32 // ngram_ng_prob
	writeModel   func(model uintptr, file string, format int32) int32                           // ngram_model_write
	newLogMath   func(base float64, shift, table int32) uintptr                                 // logmath_init
	freeLogMath  func(logMath uintptr) int32                                                    // logmath_free
	// ngram_model_set_interp
	weigh func(set uintptr, names **byte, weights *float32) uintptr
}

// load opens the shared libraries and looks up the functions. sphinxbase is loaded first and both are global, because
// libpocketsphinx resolves its symbols from there.
func load() (*library, error) {
	base, err := open("libsphinxbase.so.3")
	if err != nil {
		return nil, err
	}
	sphinx, err := open("libpocketsphinx.so.3")
	if err != nil {
		return nil, err
	}
	l := new(library)
	for _, f := range []struct {
		function any
		handle   uintptr
		name     string
	}{
		{&l.arguments, sphinx, "ps_args"}, {&l.parse, base, "cmd_ln_parse_r"}, {&l.freeConfig, base, "cmd_ln_free_r"},
		{&l.setLog, base, "err_set_logfp"}, {&l.init, sphinx, "ps_init"}, {&l.free, sphinx, "ps_free"},
		{&l.startUtt, sphinx, "ps_start_utt"}, {&l.process, sphinx, "ps_process_cep"},
		{&l.endUtt, sphinx, "ps_end_utt"},
		{&l.segments, sphinx, "ps_seg_iter"}, {&l.nextSegment, sphinx, "ps_seg_next"},
		{&l.segmentWord, sphinx, "ps_seg_word"},
		{&l.segmentFrames, sphinx, "ps_seg_frames"}, {&l.segmentProb, sphinx, "ps_seg_prob"},
		{&l.logMath, sphinx, "ps_get_logmath"}, {&l.exp, base, "logmath_exp"},
		{&l.lookup, sphinx, "ps_lookup_word"}, {&l.release, base, "ckd_free"},
		{&l.addWord, sphinx, "ps_add_word"}, {&l.model, sphinx, "ps_get_lm"},
		{&l.setSearch, sphinx, "ps_set_search"}, {&l.readGrammar, base, "fsg_model_readfile"},
		{&l.freeGrammar, base, "fsg_model_free"}, {&l.giveGrammar, sphinx, "ps_set_fsg"},
		{&l.wordID, base, "ngram_wid"}, {&l.unknownID, base, "ngram_unknown_wid"},
		{&l.readModel, base, "ngram_model_read"}, {&l.modelOfSet, base, "ngram_model_set_lookup"},
		{&l.retainModel, base, "ngram_model_retain"},
		{&l.freeModel, base, "ngram_model_free"}, {&l.blendModels, base, "ngram_model_set_init"},
		{&l.setModel, sphinx, "ps_set_lm"},
		{&l.lattice, sphinx, "ps_get_lattice"}, {&l.writeLattice, sphinx, "ps_lattice_write"},
		{&l.probability, base, "ngram_ng_prob"},
		{&l.writeModel, base, "ngram_model_write"}, {&l.newLogMath, base, "logmath_init"},
		{&l.freeLogMath, base, "logmath_free"},
		{&l.weigh, base, "ngram_model_set_interp"},
	} {
		address, err := purego.Dlsym(f.handle, f.name)
		if err != nil {
			return nil, fault.New(fault.Unavailable, fault.CodeEngineFailed, "this PocketSphinx lacks %s; %s: %w",
				f.name, remedy, err)
		}
		purego.RegisterFunc(f.function, address)
	}
	return l, nil
}

func open(name string) (uintptr, error) {
	handle, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return 0, fault.New(fault.Unavailable, fault.CodeEngineFailed, "cannot load %s; %s: %w", name, remedy, err)
	}
	return handle, nil
}

// configure parses options in command-line syntax. It returns zero if they are invalid.
func (l *library) configure(options []string) (uintptr, error) {
	argv := make([]*byte, len(options))
	for i, o := range options {
		argv[i] = &append([]byte(o), 0)[0]
	}
	config := l.parse(0, l.arguments(), int32(len(argv)), &argv[0], 1)
	if config == 0 {
		return 0, fmt.Errorf("options refused: %q", options)
	}
	return config, nil
}
