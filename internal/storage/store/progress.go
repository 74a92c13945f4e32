package store

import (
	"encoding/json"
	"maps"
	"slices"

	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// progressRow is the stored form of a media.Progress.
type progressRow struct {
	Job   string    `json:"job"`
	Tasks []taskRow `json:"tasks"`
}

type taskRow struct {
	Step     media.Step       `json:"step"`
	Status   media.TaskStatus `json:"status"`
	Percent  int              `json:"percent"`
	Started  int64            `json:"started"`
	Finished int64            `json:"finished"`
}

// SetProgress stores the progress of a media item.
func (tx *Tx) SetProgress(id media.ID, p media.Progress) error {
	row := progressRow{Job: p.Job}
	for _, t := range p.Tasks {
		row.Tasks = append(row.Tasks, taskRow{t.Step, t.Status, t.Percent, micros(t.Started), micros(t.Finished)})
	}
	data, err := json.Marshal(row)
	if err != nil {
		return err
	}
	return tx.exec(`INSERT INTO progress (media, data) VALUES ($1, $2)
		ON CONFLICT (media) DO UPDATE SET data = excluded.data`, id, data)
}

// Progress returns the progress of an account's media item.
func (tx *Tx) Progress(a account.ID, id media.ID) (media.Progress, error) {
	var data []byte
	err := tx.row(`SELECT progress.data FROM progress JOIN media ON media.id = progress.media
		WHERE progress.media = $2 AND media.account = $1`, a, id).Scan(&data)
	data, err = found(data, err, fault.New(fault.NotFound, fault.CodeNotFound, "no progress of media with id %q",
		string(id)))
	if err != nil {
		return media.Progress{}, err
	}
	return decodeProgress(data)
}

// Underway is an item with its progress.
type Underway struct {
	Media    *media.Media
	Progress media.Progress
}

// ProgressOf returns those of the given items of an account that Media returns, with their progress.
func (tx *Tx) ProgressOf(a account.ID, ids []media.ID) (map[media.ID]Underway, error) {
	items, err := tx.MediaOf(a, ids)
	if err != nil || len(items) == 0 {
		return nil, err
	}
	in, args := placeholders(slices.Collect(maps.Keys(items)), nil)
	all := map[media.ID]Underway{}
	for row := range tx.query(`SELECT media, data FROM progress WHERE media IN (`+in+`)`, args...).Each {
		var id media.ID
		var data []byte
		if err := row.Scan(&id, &data); err != nil {
			return nil, err
		}
		p, err := decodeProgress(data)
		if err != nil {
			return nil, err
		}
		all[id] = Underway{items[id], p}
	}
	return all, nil
}

func decodeProgress(data []byte) (media.Progress, error) {
	var row progressRow
	if err := json.Unmarshal(data, &row); err != nil {
		return media.Progress{}, err
	}
	p := media.Progress{Job: row.Job}
	for _, t := range row.Tasks {
		p.Tasks = append(p.Tasks, media.Task{Step: t.Step, Status: t.Status, Percent: t.Percent,
			Started: moment(t.Started), Finished: moment(t.Finished)})
	}
	return p, nil
}
