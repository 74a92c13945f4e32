package plan

import (
	"parley/internal/call/caption"
	"parley/internal/call/delivery"
	"parley/internal/words/fault"
	d "parley/internal/words/jsondoc"
	"parley/internal/words/media"
)

// schema lists every key of the configuration. Resolve checks what depends on more than one key, on the server or on
// saved definitions.
var schema = d.Fields(
	d.Field{Name: "speechModel", Shape: d.Fields(
		d.Field{Name: "language", Shape: d.Text()},
		d.Field{Name: "model", Shape: d.Text()},
		d.Field{Name: "version", Shape: d.Text()},
		d.Field{Name: "features", Shape: d.List(d.Enum(fault.CodeFeature, "advancedPunctuation", "voiceFeatures",
			"diarization"))},
		d.Field{Name: "extensions", Shape: d.List(d.Text())},
	)},
	d.Field{Name: "additionalSpeechModels", Shape: d.List(d.Open())},
	d.Field{Name: "priority", Shape: d.Enum(fault.CodePriority, "high", "normal", "low")},
	d.Field{Name: "ingest", Shape: ingestShape},
	d.Field{Name: "prediction", Shape: d.Fields(
		d.Field{Name: "classifiers", Shape: d.List(d.Fields(
			d.Field{Name: "classifierId", Shape: d.Text()},
			d.Field{Name: "classifierName", Shape: d.Text()},
			d.Field{Name: "version", Shape: d.Text()},
			d.Field{Name: "parameters", Shape: parametersShape},
		))},
		d.Field{Name: "detectors", Shape: d.List(d.Fields(
			d.Field{Name: "detectorId", Shape: d.Text()},
			d.Field{Name: "detectorName", Shape: d.Text()},
			d.Field{Name: "version", Shape: d.Text()},
			d.Field{Name: "parameters", Shape: parametersShape},
			d.Field{Name: "redactor", Shape: d.Fields(
				d.Field{Name: "transcript", Shape: d.Fields(d.Field{Name: "replacement", Shape: d.Text()})},
				d.Field{Name: "audio", Shape: d.Fields(
					d.Field{Name: "tone", Shape: d.Whole()},
					d.Field{Name: "gain", Shape: d.Real()},
				)},
			)},
		))},
	)},
	d.Field{Name: "metrics", Shape: d.List(d.Fields(
		d.Field{Name: "metricGroupName", Shape: d.Enum(fault.CodeConfiguration, metricGroups...)},
	))},
	d.Field{Name: "spotting", Shape: d.Fields(
		d.Field{Name: "groups", Shape: d.List(d.Fields(d.Field{Name: "groupName", Shape: d.Text()}))},
	)},
	d.Field{Name: "knowledge", Shape: d.Fields(
		d.Field{Name: "enableDiscovery", Shape: d.Flag()},
		d.Field{Name: "enableExternalDataSources", Shape: d.Flag()},
	)},
	d.Field{Name: "conversation", Shape: d.Fields(d.Field{Name: "verbNounPairsEnabled", Shape: d.Flag()})},
	d.Field{Name: "speakerSentiments", Shape: d.Flag()},
	d.Field{Name: "entity", Shape: d.Fields(d.Field{Name: "enableEntityExtraction", Shape: d.Flag()})},
	d.Field{Name: "transcript", Shape: d.Fields(
		d.Field{Name: "formatting", Shape: d.Fields(d.Field{Name: "enableNumberFormatting", Shape: d.Flag()})},
		d.Field{Name: "contentFiltering", Shape: d.Fields(d.Field{Name: "enableProfanityFiltering", Shape: d.Flag()})},
	)},
	d.Field{Name: "vocabularies", Shape: d.List(d.Fields(append([]d.Field{
		{Name: "vocabularyName", Shape: d.Text()},
	}, vocabularyCodes.Fields()...)...))},
	d.Field{Name: "categories", Shape: d.List(d.Fields(
		d.Field{Name: "allCategories", Shape: d.Flag()},
		d.Field{Name: "categoryName", Shape: d.Text()},
	))},
	d.Field{Name: "publish", Shape: d.Fields(
		d.Field{Name: "callbacks", Shape: d.List(callbackShape)},
		d.Field{Name: "enableAnalyticIndexing", Shape: d.TextFlag()},
		d.Field{Name: "audioTranscode", Shape: d.Fields(
			d.Field{Name: "onlyIfRedacted", Shape: d.Flag()},
			d.Field{Name: "fileFormat", Shape: d.Enum(fault.CodeConfiguration, "wav", "mp3", "flac", "opus", "ogg")},
			d.Field{Name: "codec", Shape: d.Enum(fault.CodeConfiguration, "pcm", "mp3", "flac", "opus", "vorbis")},
		)},
	)},
	d.Field{Name: "searchability", Shape: d.Fields(d.Field{Name: "searchable", Shape: d.Flag()})},
	d.Field{Name: "encryption", Shape: d.Fields(d.Field{Name: "publicKeyId", Shape: d.Text()})},
	d.Field{Name: "timeToLiveInSeconds", Shape: d.Whole()},
)

var parametersShape = d.List(d.Fields(
	d.Field{Name: "parameter", Shape: d.Text()},
	d.Field{Name: "value", Shape: d.Text()},
))

var channelShape = d.Fields(
	d.Field{Name: "speakerName", Shape: d.Text()},
	d.Field{Name: "speakerRole", Shape: d.Text()},
	d.Field{Name: "ignore", Shape: d.Flag()},
)

var ingestShape = d.Fields(
	d.Field{Name: "allowDeferredProcessing", Shape: d.Flag()},
	d.Field{Name: "speakerName", Shape: d.Text()},
	d.Field{Name: "speakerRole", Shape: d.Text()},
	d.Field{Name: "stereo", Shape: d.Fields(
		d.Field{Name: "left", Shape: channelShape},
		d.Field{Name: "right", Shape: channelShape},
	)},
	d.Field{Name: "channels", Shape: d.List(channelShape)},
	d.Field{Name: "tracks", Shape: d.List(d.Fields(
		d.Field{Name: "trackIndex", Shape: d.Whole()},
		d.Field{Name: "speakerName", Shape: d.Text()},
		d.Field{Name: "speakerRole", Shape: d.Text()},
		d.Field{Name: "channels", Shape: d.List(channelShape)},
	))},
)

var callbackShape = d.Fields(
	d.Field{Name: "url", Shape: d.Text()},
	d.Field{Name: "method", Shape: d.Enum(fault.CodeCallbackMethod, "POST", "PUT")},
	d.Field{Name: "type", Shape: d.Enum(fault.CodeCallbackType, delivery.TypeNames()...)},
	d.Field{Name: "include", Shape: d.List(d.Enum(fault.CodeCallbackInclude, delivery.Sections...))},
	d.Field{Name: "format", Shape: d.Enum(fault.CodeCallbackFormat, caption.All...)},
	d.Field{Name: "stream", Shape: d.Enum(fault.CodeCallbackFormat, media.Recordings...)},
	d.Field{Name: "role", Shape: d.Any()},
	d.Field{Name: "prependFolder", Shape: d.Any()},
)
