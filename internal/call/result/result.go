// Package result has the words for what was found in one recording.
//
// It mirrors package plan field by field: what was not asked for is nil here. It does not store or render
// results; packages record and wire do.
package result

import (
	"parley/internal/analysis/category"
	"parley/internal/analysis/classify"
	"parley/internal/analysis/detect"
	"parley/internal/analysis/entity"
	"parley/internal/analysis/knowledge"
	"parley/internal/analysis/sentiment"
	"parley/internal/analysis/spot"
	"parley/internal/analysis/talk"
	"parley/internal/analysis/verbnoun"
	"parley/internal/words/fault"
	"parley/internal/words/transcript"
)

// Open is a result that the server can read: everything that was found, after redaction and formatting.
type Open struct {
	Transcript *transcript.Transcript // never nil; it may have no words
	Warnings   []fault.Problem        // what was skipped or guessed
	Findings
}

// Findings is what the analyses of a transcript found.
type Findings struct {
	Knowledge  *knowledge.Found
	Entities   []entity.Entity // of all speakers
	Metrics    []talk.Group
	Sentiments []sentiment.Sentence // of all speakers
	Detections []Detection          // one for each detector asked for, in that order
	Categories []category.Found     // each that was asked for, whether it holds or not
	Spotting   []spot.Spotted       // one for each group asked for
	Pairs      []verbnoun.Pair      // of all speakers, by turns

	Classifications []classify.Prediction // one for each classifier asked for, in that order
}

// Detection is what one detector found.
type Detection struct {
	Detector    detect.Detector // as it was then, its classes apart
	Occurrences []detect.Occurrence
}
