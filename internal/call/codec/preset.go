package codec

import "parley/internal/call/definition"

const presetVersion = 1

// preset1 is version 1 of a preset.
type preset1 struct {
	Name          string `json:"name"`
	Description   string `json:"description,omitempty"`
	Configuration []byte `json:"configuration"`
}

// EncodePreset encodes a preset.
func (c *Codec) EncodePreset(p definition.Preset) []byte {
	return c.sealJSON(presetKind, presetVersion, preset1(p))
}

// DecodePreset decodes the output of EncodePreset.
func (c *Codec) DecodePreset(data []byte) (definition.Preset, error) {
	kept, err := openJSON[preset1](c, presetKind, presetVersion, data)
	return definition.Preset(kept), err
}
