package doctor

import (
	"context"
	"strings"

	"parley/internal/asr"
)

// Neural checks that the neural model that is used first can be loaded. look loads it; nil means that none is
// installed, and then PocketSphinx is used.
func Neural(look func(context.Context) (*asr.Info, error)) Check {
	return Check{"neural model", func(ctx context.Context) Finding {
		info, err := look(ctx)
		switch {
		case err != nil:
			return warn("make sherpa builds the program; parley models list shows what is installed; see docs/models.md", "%v", err)
		case info == nil:
			return warn("make sherpa, then parley models pull parakeet-tdt-0.6b-v2; see docs/models.md",
				"no neural model is installed: PocketSphinx misunderstands about every second word of telephone calls")
		}
		return ok("%s/%s (%s) can be loaded and is used first", info.Engine, info.Model, strings.Join(info.Languages, ", "))
	}}
}
