package store

import (
	"fmt"

	"github.com/google/uuid"

	"parley/internal/call/definition"
	"parley/internal/storage/job"
	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/phrase"
)

// maxClassifiers bounds the classifier versions of an account, so that they can be listed in one response.
const maxClassifiers = 200

// StoredClassifier is a version of a classifier whose labels and quality are still encoded.
type StoredClassifier struct {
	definition.Classifier
	Account account.ID
	Card    []byte // as package record encodes it
}

// ModelID names a version of a classifier.
type ModelID struct {
	Classifier string // UUID
	Version    int
}

const classifierColumns = `account, id, version, name, display, status, percent, created, finished, problems, card`

func scanClassifier(row sqlrow.Row) (StoredClassifier, error) {
	var c StoredClassifier
	var problems []byte
	err := row.Scan(&c.Account, &c.ID, &c.Version, &c.Name, &c.DisplayName, &c.Status, &c.Percent, instant{&c.Created},
		instant{&c.Finished}, &problems, &c.Card)
	if err != nil {
		return c, err
	}
	c.Problems, err = decodeProblems(problems)
	return c, err
}

func noClassifier(which string) error {
	return fault.New(fault.NotFound, fault.CodeDefinition,
		"there is no classifier %q; see /v3/definition/prediction/classifiers", which)
}

// InsertClassifier adds a version of the classifier with c's name, which is version 1 of a new classifier if there is
// none. It is to be trained from the given examples. It returns the stored version. The error is NotFound if the
// account does not exist, TooLarge if it has too many versions.
func (tx *Tx) InsertClassifier(
	a account.ID, c definition.Classifier, card, examples []byte,
) (definition.Classifier, error) {
	if err := tx.LockAccount(a); err != nil { // versions are counted
		return c, err
	}
	all, err := tx.Classifiers(a)
	if err != nil {
		return c, err
	}
	if len(all) >= maxClassifiers {
		return c, fault.New(fault.TooLarge, fault.CodeTooLarge,
			"the account has %d versions of classifiers, which is the limit; delete some", len(all))
	}
	c.ID, c.Status = uuid.NewString(), definition.Training
	for _, other := range all {
		if phrase.Fold(other.Name) == phrase.Fold(c.Name) {
			c.ID, c.Name = other.ID, other.Name
			break
		}
	}
	if err := tx.row(`SELECT COALESCE(MAX(version), 0) + 1 FROM classifier WHERE id = $1`,
		c.ID).Scan(&c.Version); err != nil {
		return c, err
	}
	now, err := tx.now()
	if err != nil {
		return c, err
	}
	c.Created = now
	err = tx.exec(`INSERT INTO classifier (account, id, version, name, folded, display, status, percent, created,
			finished, removed, problems, card, examples, model)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, 0, 0, $9, $10, $11, $9)`,
		a, c.ID, c.Version, c.Name, phrase.Fold(c.Name), c.DisplayName, c.Status, now.UnixMicro(), []byte{},
		bytes(card), bytes(examples))
	return c, err
}

// Classifiers returns all versions of all classifiers of an account, by name, the newest version first.
func (tx *Tx) Classifiers(a account.ID) ([]StoredClassifier, error) {
	return sqlrow.All(tx.query(`SELECT `+classifierColumns+
		` FROM classifier WHERE account = $1 AND removed = 0 ORDER BY folded, version DESC`, a), scanClassifier)
}

// Classifier returns the versions of one classifier of an account, by its id or name, the newest first.
func (tx *Tx) Classifier(a account.ID, idOrName string) ([]StoredClassifier, error) {
	all, err := sqlrow.All(tx.query(`SELECT `+classifierColumns+
		` FROM classifier WHERE account = $1 AND (id = $2 OR folded = $2) AND removed = 0
		ORDER BY version DESC`, a, phrase.Fold(idOrName)), scanClassifier)
	if err == nil && len(all) == 0 {
		err = noClassifier(idOrName)
	}
	return all, err
}

// BeginTraining returns a classifier version with its examples, and marks it as being trained again if training had
// failed. NotFound if it does not exist any more, or is ready.
func (tx *Tx) BeginTraining(id ModelID) (c StoredClassifier, examples []byte, err error) {
	missing := noClassifier(id.Classifier)
	err = tx.changed(missing, `UPDATE classifier SET status = $3, finished = 0, problems = $4
		WHERE id = $1 AND version = $2 AND removed = 0 AND status <> $5`, id.Classifier, id.Version, definition.Training, []byte{}, definition.Ready)
	if err != nil {
		return c, nil, err
	}
	c, err = scanClassifier(tx.row(`SELECT `+classifierColumns+` FROM classifier WHERE id = $1 AND version = $2`,
		id.Classifier, id.Version))
	if err == nil {
		err = tx.row(`SELECT examples FROM classifier WHERE id = $1 AND version = $2`, id.Classifier,
			id.Version).Scan(&examples)
	}
	c, err = found(c, err, missing)
	return c, examples, err
}

// SetTrainingPercent stores the progress of training.
func (tx *Tx) SetTrainingPercent(id ModelID, percent int) error {
	return tx.changed(noClassifier(id.Classifier), `UPDATE classifier SET percent = $3 WHERE id = $1 AND version = $2`,
		id.Classifier, id.Version, percent)
}

// EndTraining stores a model and its card, and deletes the examples.
func (tx *Tx) EndTraining(id ModelID, card, model []byte) error {
	now, err := tx.now()
	if err != nil {
		return err
	}
	return tx.changed(noClassifier(id.Classifier),
		`UPDATE classifier SET status = $3, percent = 100, finished = $4, card = $5, model = $6, examples = $7
		WHERE id = $1 AND version = $2`, id.Classifier, id.Version, definition.Ready, now.UnixMicro(), bytes(card), bytes(model), []byte{})
}

// FailTraining stores why training failed.
func (tx *Tx) FailTraining(id ModelID, problems []fault.Problem) error {
	now, err := tx.now()
	if err != nil {
		return err
	}
	data, err := encodeProblems(problems)
	if err != nil {
		return err
	}
	return tx.changed(noClassifier(id.Classifier),
		`UPDATE classifier SET status = $3, finished = $4, problems = $5 WHERE id = $1 AND version = $2`,
		id.Classifier, id.Version, definition.Failed, now.UnixMicro(), data)
}

// Model returns a trained version and the bytes of its model, including a deleted version that pending recordings use.
// NotFound if there is none.
func (tx *Tx) Model(id ModelID) (c StoredClassifier, model []byte, err error) {
	c, err = scanClassifier(tx.row(`SELECT `+classifierColumns+
		` FROM classifier WHERE id = $1 AND version = $2 AND status = $3`, id.Classifier, id.Version, definition.Ready))
	if err == nil {
		err = tx.row(`SELECT model FROM classifier WHERE id = $1 AND version = $2`, id.Classifier,
			id.Version).Scan(&model)
	}
	c, err = found(c, err, noClassifier(id.Classifier))
	return c, model, err
}

// DeleteClassifier removes a version of an account's classifier, or all versions if version is 0, with the jobs that
// train them. Models that pending recordings use stay until those are done.
func (tx *Tx) DeleteClassifier(a account.ID, idOrName string, version int) error {
	all, err := tx.Classifier(a, idOrName)
	if err != nil {
		return err
	}
	now, err := tx.now()
	if err != nil {
		return err
	}
	tx.removed = true
	gone := false
	for _, c := range all {
		if version != 0 && c.Version != version {
			continue
		}
		gone = true
		if err := job.DeleteSubject(jobTx{tx}, string(a), TrainingSubject(ModelID{c.ID, c.Version})); err != nil {
			return err
		}
		if err := tx.exec(`UPDATE classifier SET removed = $3, examples = $4 WHERE id = $1 AND version = $2`, c.ID,
			c.Version, now.UnixMicro(), []byte{}); err != nil {
			return err
		}
	}
	if !gone {
		return noClassifier(fmt.Sprintf("%s in version %d", idOrName, version))
	}
	return tx.dropClassifiers()
}

// TrainingSubject is the subject of a job that trains a classifier version.
func TrainingSubject(id ModelID) string { return fmt.Sprintf("%s/%d", id.Classifier, id.Version) }

// UseClassifiers keeps the models of an account's classifier versions until an item is done, and releases those that
// the item held before. Invalid if one does not exist any more.
func (tx *Tx) UseClassifiers(a account.ID, m media.ID, models []ModelID) error {
	if err := tx.ReleaseClassifiers(m); err != nil {
		return err
	}
	query := `SELECT 1 FROM classifier WHERE id = $1 AND version = $2 AND account = $3 AND removed = 0` +
		tx.locking(` FOR SHARE`)
	for _, id := range models {
		_, err := one(tx.row(query, id.Classifier, id.Version, a), sqlrow.Cell[int],
			fault.New(fault.Invalid, fault.CodeClassifierGone,
				"version %d of the classifier %s was deleted meanwhile; send the request again", id.Version,
				id.Classifier))
		if err != nil {
			return err
		}
		err = tx.exec(`INSERT INTO classifier_use (media, classifier, version) VALUES ($1, $2, $3)
			ON CONFLICT DO NOTHING`, m, id.Classifier, id.Version)
		if err != nil {
			return err
		}
	}
	return nil
}

// ReleaseClassifiers releases the models that an item holds.
func (tx *Tx) ReleaseClassifiers(m media.ID) error {
	n, err := tx.affected(`DELETE FROM classifier_use WHERE media = $1`, m)
	if err != nil || n == 0 {
		return err
	}
	return tx.dropClassifiers()
}

// dropClassifiers removes deleted versions that no item holds. The last version of a classifier stays, without its
// model, while there are others: its number must not be reused.
func (tx *Tx) dropClassifiers() error {
	const unused = ` WHERE removed > 0 AND NOT EXISTS (SELECT 1 FROM classifier_use u WHERE u.classifier = classifier.id AND u.version = classifier.version)`
	if err := tx.exec(`UPDATE classifier SET model = $1`+unused+` AND LENGTH(model) > 0`, []byte{}); err != nil {
		return err
	}
	return tx.exec(`DELETE FROM classifier` + unused +
		` AND (version < (SELECT MAX(c.version) FROM classifier c WHERE c.id = classifier.id)
		OR NOT EXISTS (SELECT 1 FROM classifier c WHERE c.id = classifier.id AND c.version <> classifier.version
			AND (c.removed = 0 OR EXISTS (SELECT 1 FROM classifier_use u WHERE u.classifier = c.id AND u.version = c.version))))`)
}
