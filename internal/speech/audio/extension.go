package audio

import "strings"

// extensions maps each content type returned by ContentType to a file extension.
var extensions = map[string]string{
	"application/mxf": ".mxf", "application/vnd.rn-realmedia": ".rm", "audio/3gpp": ".3gp", "audio/aac": ".aac",
	"audio/ac3": ".ac3", "audio/aiff": ".aiff", "audio/amr": ".amr", "audio/amr-wb": ".awb", "audio/basic": ".au",
	"audio/flac": ".flac", "audio/g722": ".g722", "audio/g723": ".g723", "audio/g729": ".g729", "audio/gsm": ".gsm",
	"audio/ilbc": ".lbc", "audio/mp4": ".m4a", "audio/mp4a-latm": ".loas", "audio/mpeg": ".mp3", "audio/ogg": ".ogg",
	"audio/pcma": ".al", "audio/pcmu": ".ul", "audio/qcelp": ".qcp", "audio/silk": ".silk", "audio/vnd.dts": ".dts",
	"audio/wav": ".wav", "audio/webm": ".webm", "audio/x-8svx": ".8svx", "audio/x-ape": ".ape", "audio/x-caf": ".caf",
	"audio/x-dff": ".dff", "audio/x-dsf": ".dsf", "audio/x-g726": ".g726", "audio/x-matroska": ".mka",
	"audio/x-ms-wma": ".wma", "audio/x-musepack": ".mpc", "audio/x-nist": ".nist", "audio/x-realaudio": ".ra",
	"audio/x-shorten": ".shn", "audio/x-sln": ".sln", "audio/x-tak": ".tak", "audio/x-tta": ".tta",
	"audio/x-voc": ".voc", "audio/x-w64": ".w64", "audio/x-wavpack": ".wv", "video/3gpp": ".3gp", "video/3gpp2": ".3g2",
	"video/mp2t": ".ts", "video/mp4": ".mp4", "video/mpeg": ".mpg", "video/ogg": ".ogv", "video/quicktime": ".mov",
	"video/webm": ".webm", "video/x-flv": ".flv", "video/x-matroska": ".mkv", "video/x-ms-asf": ".asf",
	"video/x-ms-wtv": ".wtv", "video/x-msvideo": ".avi",
}

// Extension returns the usual file name extension of a content type, with its dot. It is "" for Unknown and for types
// that ContentType does not return.
func Extension(contentType string) string { return extensions[contentType] }

// IsExtension reports whether an extension, with its dot and in any case, is one of a recording.
func IsExtension(ending string) bool {
	ending = strings.ToLower(ending)
	for _, usual := range extensions {
		if usual == ending {
			return true
		}
	}
	_, headerless := headerlessNames[ending]
	return headerless
}
