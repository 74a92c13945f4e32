package doctor

import (
	"context"
	"strings"

	"parley/internal/speech/asr"
)

// Neural checks that the default neural model can be loaded. look loads it; nil means that none is installed, and
// PocketSphinx is used.
func Neural(look func(context.Context) (*asr.Info, error)) Check {
	return Check{"neural model", func(ctx context.Context) Finding {
		info, err := look(ctx)
		switch {
		case err != nil:
			return warn("build the program with make sherpa; see what is installed with parley models list; see "+
				"docs/models.md", "%v", err)
		case info == nil:
			return warn("run make sherpa, then parley models pull parakeet-tdt-0.6b-v2; see docs/models.md",
				"no neural model is installed: PocketSphinx misunderstands about every second word of telephone calls")
		}
		return ok("%s/%s (%s) can be loaded and is used first", info.Engine, info.Model,
			strings.Join(info.Languages, ", "))
	}}
}

// Speakers checks that the neural models for diarization can be loaded. look loads and names them; no names mean that
// none are installed, and speakers are separated without them.
func Speakers(look func(context.Context) ([]string, error)) Check {
	return Check{"speaker models", func(ctx context.Context) Finding {
		models, err := look(ctx)
		switch {
		case err != nil:
			return warn("see what is installed with parley models list; install both models with parley models pull "+
				"pyannote-segmentation-3.0 and parley models pull titanet-small-en; see docs/models.md", "%v", err)
		case len(models) == 0:
			return ok("none is installed: speakers of mono recordings are separated without neural models")
		}
		return ok("%s can be loaded and separate speakers", strings.Join(models, " and "))
	}}
}
