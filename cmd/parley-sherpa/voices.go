package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"

	sherpaonnx "github.com/k2-fsa/sherpa-onnx-go-linux"

	"parley/internal/speech/asr/sherpa"
	"parley/internal/speech/modelstore"
)

// diarize reads samples, 16 bits at 16 kHz, until the input ends, and writes who speaks when, or an error.
func diarize(args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("diarize", flag.ContinueOnError)
	segmentation := flags.String("segmentation", "", "folder of an installed model that detects speaker changes")
	embedding := flags.String("embedding", "", "folder of an installed model that compares voices")
	speakers := flags.Int("speakers", 0, "number of speakers; 0: detect it")
	threads := flags.Int("threads", 1, "threads of the networks")
	if err := flags.Parse(args); err != nil {
		return err
	}
	turns, err := voices(*segmentation, *embedding, *speakers, *threads, in)
	a := sherpa.Answer{Turns: turns}
	if err != nil {
		a.Error = err.Error()
	}
	return errors.Join(err, json.NewEncoder(out).Encode(a))
}

// voices loads both models and runs them on the samples.
func voices(segmentation, embedding string, speakers, threads int, in io.Reader) ([]sherpa.AnswerTurn, error) {
	changes, err := voiceModel(segmentation, modelstore.Segmentation)
	if err != nil {
		return nil, err
	}
	if changes.Family != sherpa.SegmentationFamily {
		return nil, fmt.Errorf("%s: unsupported family %q; only %s is supported", changes.Name, changes.Family,
			sherpa.SegmentationFamily)
	}
	compares, err := voiceModel(embedding, modelstore.Embedding)
	if err != nil {
		return nil, err
	}
	made := sherpaonnx.NewOfflineSpeakerDiarization(voiceConfig(changes, compares, speakers, threads))
	if made == nil {
		return nil, fmt.Errorf("sherpa-onnx cannot load %s and %s; pull them again", changes.Name, compares.Name)
	}
	defer sherpaonnx.DeleteOfflineSpeakerDiarization(made)
	heard, err := waveform(in)
	if err != nil || len(heard) == 0 {
		return nil, err
	}
	var turns []sherpa.AnswerTurn
	for _, s := range made.Process(heard) {
		turns = append(turns, sherpa.AnswerTurn{Speaker: s.Speaker, Start: max(float64(s.Start), 0),
			End: max(float64(s.End), float64(s.Start), 0)})
	}
	return turns, nil
}

// voiceModel opens an installed model of a kind.
func voiceModel(dir string, kind modelstore.Kind) (modelstore.Installed, error) {
	m, err := modelstore.OpenFolder(dir)
	switch {
	case err != nil:
		return m, err
	case m.Kind != kind || m.Engine != sherpa.Engine || m.File("model") == "":
		return m, fmt.Errorf("%s is not a %s model of %s with the file files.model", m.Name, kind, sherpa.Engine)
	}
	return m, nil
}

// The settings published with the library's examples: voices whose similarity is below the threshold are different
// speakers, and speech and pauses below the minimum durations are ignored.
const (
	alike      = 0.5
	shortestOn = 0.3 // seconds
	shortestNo = 0.5
)

func voiceConfig(
	changes, compares modelstore.Installed, speakers, threads int,
) *sherpaonnx.OfflineSpeakerDiarizationConfig {
	c := &sherpaonnx.OfflineSpeakerDiarizationConfig{MinDurationOn: shortestOn, MinDurationOff: shortestNo}
	c.Segmentation.Pyannote.Model = changes.File("model")
	c.Segmentation.NumThreads, c.Segmentation.Provider = max(threads, 1), "cpu"
	c.Embedding.Model = compares.File("model")
	c.Embedding.NumThreads, c.Embedding.Provider = max(threads, 1), "cpu"
	c.Clustering = sherpaonnx.FastClusteringConfig{NumClusters: -1, Threshold: alike}
	if speakers > 0 {
		c.Clustering.NumClusters = speakers
	}
	return c
}

// waveform reads samples and returns them as numbers between -1 and 1.
func waveform(in io.Reader) ([]float32, error) {
	var all []float32
	block := make([]byte, 1<<16)
	for {
		n, err := io.ReadFull(in, block)
		for i := 0; i+1 < n; i += 2 {
			all = append(all, float32(int16(binary.LittleEndian.Uint16(block[i:])))/32768)
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the audio: %w", err)
		}
	}
}
