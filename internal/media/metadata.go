package media

// Metadata is what the caller supplied about a recording, kept byte for byte.
type Metadata struct {
	raw []byte
}
