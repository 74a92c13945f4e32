// Package result defines the results of one recording.
//
// It mirrors package plan field by field: fields that were not requested are nil. It does not store or render results;
// packages record and wire do.
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

// Open is a result that the server can read, after redaction and formatting. Encrypted results are not.
type Open struct {
	Transcript *transcript.Transcript // never nil; it may have no words
	Warnings   []fault.Problem        // settings that were ignored or guessed
	Findings
}

// Findings holds the results of the analyses of a transcript.
type Findings struct {
	Knowledge  *knowledge.Result
	Entities   []entity.Entity // of all speakers
	Metrics    []talk.Group
	Sentiments []sentiment.Sentence // of all speakers
	Detections []Detection          // one per requested detector, in that order
	Categories []category.Result    // one per requested category, whether it matched or not
	Spotting   []spot.Result        // one per requested group
	Pairs      []verbnoun.Pair      // of all speakers, by turns

	Classifications []classify.Prediction // one per requested classifier, in that order
}

// Detection is the result of one detector.
type Detection struct {
	Detector    detect.Detector // as of that time, without its classes
	Occurrences []detect.Occurrence
}
