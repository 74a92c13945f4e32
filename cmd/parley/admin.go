package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"parley/internal/account"
	"parley/internal/audit"
	"parley/internal/auth"
	"parley/internal/config"
	"parley/internal/fault"
	"parley/internal/job"
	"parley/internal/media"
	"parley/internal/pipeline"
	"parley/internal/server"
	"parley/internal/store"
)

// withStore runs f on the database that the flags name; the server may run meanwhile.
func withStore(ctx context.Context, flags config.StorageFlags, f func(*store.Store) error) error {
	storage, err := config.ParseStorage(flags)
	if err != nil {
		return err
	}
	db, err := server.OpenStore(ctx, storage)
	if err != nil {
		return err
	}
	defer db.Close()
	return f(db)
}

// tokenCommand manages access tokens.
type tokenCommand struct {
	Create tokenCreate `cmd:"" help:"Create a token and print it alone."`
	List   tokenList   `cmd:"" help:"List tokens, without their secrets."`
	Revoke tokenRevoke `cmd:"" help:"Revoke a token; it is refused from the next request on."`
}

type tokenCreate struct {
	config.StorageFlags
	Account     string        `help:"Account the token belongs to; made when missing." default:"default" placeholder:"NAME"`
	Scopes      string        `help:"What it allows, separated by commas: media:read, media:write, definitions, keys, analytics, admin. Default: all." placeholder:"SCOPES"`
	Description string        `help:"What it is for." placeholder:"TEXT"`
	Expires     time.Duration `help:"Time until it expires; default: never." placeholder:"TIME"`
}

// Run creates a token and prints it.
func (c *tokenCreate) Run(ctx context.Context) error {
	scopes, err := account.ParseScopes(c.Scopes)
	if err != nil {
		return err
	}
	token := account.Token{Description: c.Description, Scopes: scopes}
	if c.Expires > 0 {
		token.Expires = time.Now().Add(c.Expires)
	}
	secret := auth.NewSecret()
	err = withStore(ctx, c.StorageFlags, func(db *store.Store) error {
		return db.Update(ctx, func(tx *store.Tx) error { return addToken(tx, c.Account, token, secret) })
	})
	if err == nil {
		fmt.Println(string(secret))
	}
	return err
}

// addToken stores a token of an account, which is made when there is none of the name.
func addToken(tx *store.Tx, name string, token account.Token, secret auth.Secret) error {
	owner, err := tx.AccountByName(name)
	if fault.Is(err, fault.NotFound) {
		owner, err = tx.CreateAccount(name)
	}
	if err != nil {
		return err
	}
	token.Account, token.LastSix = owner.ID, secret.LastSix()
	if token, err = tx.CreateToken(token, secret.Hash()); err != nil {
		return err
	}
	return note(tx, owner.ID, audit.Create, "profile/keys", token.ID)
}

// note writes what the operator does into the audit log of the account.
func note(tx *store.Tx, owner account.ID, action audit.Action, object, name string) error {
	return tx.AddEvents(audit.Event{
		ID: audit.NewID(), Account: owner, By: audit.ByCommand, Action: action, Object: object, Name: name, Outcome: audit.Done,
	})
}

type tokenList struct {
	config.StorageFlags
	Account string `help:"Account." default:"default" placeholder:"NAME"`
}

// Run lists the tokens of an account.
func (c *tokenList) Run(ctx context.Context) error {
	return withStore(ctx, c.StorageFlags, func(db *store.Store) error {
		var tokens []account.Token
		err := db.View(ctx, func(tx *store.Tx) error {
			owner, err := tx.AccountByName(c.Account)
			if err == nil {
				tokens, err = tx.Tokens(owner.ID)
			}
			return err
		})
		if err != nil {
			return err
		}
		rows := [][]any{{"ID", "ENDS IN", "ISSUED", "EXPIRES", "LAST USED", "SCOPES", "DESCRIPTION"}}
		for _, t := range tokens {
			rows = append(rows, []any{t.ID, t.LastSix, day(t.Issued), day(t.Expires), day(t.LastUsed), t.Scopes, t.Description})
		}
		return table(rows)
	})
}

type tokenRevoke struct {
	config.StorageFlags
	Account string `help:"Account." default:"default" placeholder:"NAME"`
	ID      string `arg:"" help:"The token's id, as token list shows it."`
}

// Run revokes a token.
func (c *tokenRevoke) Run(ctx context.Context) error {
	return withStore(ctx, c.StorageFlags, func(db *store.Store) error {
		return db.Update(ctx, func(tx *store.Tx) error {
			owner, err := tx.AccountByName(c.Account)
			if err != nil {
				return err
			}
			if err := tx.RevokeToken(owner.ID, c.ID); err != nil {
				return err
			}
			return note(tx, owner.ID, audit.Delete, "profile/keys", c.ID)
		})
	})
}

// accountCommand manages accounts.
type accountCommand struct {
	Create    accountCreate    `cmd:"" help:"Create an account."`
	List      accountList      `cmd:"" help:"List accounts."`
	Limit     accountLimit     `cmd:"" help:"Set what an account may store and ask, where it differs from what all may."`
	Disable   accountDisable   `cmd:"" help:"Refuse all tokens of an account; --enable takes it back."`
	Retention accountRetention `cmd:"" help:"Show or set how long an account's media are kept by default."`
	Set       accountSet       `cmd:"" help:"Show or change how answers to an account are written, for clients that need it."`
	Delete    accountDelete    `cmd:"" help:"Delete an account with all its media and tokens."`
}

type accountCreate struct {
	config.StorageFlags
	Name string `arg:"" help:"Name of the account."`
}

// Run creates an account and prints its id.
func (c *accountCreate) Run(ctx context.Context) error {
	return withStore(ctx, c.StorageFlags, func(db *store.Store) error {
		var made account.Account
		err := db.Update(ctx, func(tx *store.Tx) (err error) {
			if made, err = tx.CreateAccount(c.Name); err != nil {
				return err
			}
			return note(tx, made.ID, audit.Create, "account", "")
		})
		if err == nil {
			fmt.Println(made.ID)
		}
		return err
	})
}

type accountList struct{ config.StorageFlags }

// Run lists the accounts.
func (c *accountList) Run(ctx context.Context) error {
	return withStore(ctx, c.StorageFlags, func(db *store.Store) error {
		rows := [][]any{{"ID", "NAME", "CREATED", "STATE", "STORED", "MAY STORE", "REQUESTS/S", "MINUTES THIS MONTH"}}
		err := db.View(ctx, func(tx *store.Tx) error {
			accounts, err := tx.Accounts()
			for _, a := range accounts {
				row, err := accountRow(tx, a)
				if err != nil {
					return err
				}
				rows = append(rows, row)
			}
			return err
		})
		if err != nil {
			return err
		}
		return table(rows)
	})
}

type accountDisable struct {
	config.StorageFlags
	Name   string `arg:"" help:"Name of the account."`
	Enable bool   `help:"Enable it again."`
}

// Run disables an account or enables it again.
func (c *accountDisable) Run(ctx context.Context) error {
	return withStore(ctx, c.StorageFlags, func(db *store.Store) error {
		return db.Update(ctx, func(tx *store.Tx) error {
			a, err := tx.AccountByName(c.Name)
			if err != nil {
				return err
			}
			if err := tx.SetAccountDisabled(a.ID, !c.Enable); err != nil {
				return err
			}
			return note(tx, a.ID, audit.Change, "account", "")
		})
	})
}

type accountDelete struct {
	config.StorageFlags
	Name string `arg:"" help:"Name of the account."`
	Yes  bool   `help:"Do it without asking."`
}

// Run deletes an account; its blobs go by a job of the server.
func (c *accountDelete) Run(ctx context.Context) error {
	if !c.Yes && !confirm(fmt.Sprintf("Delete account %q with all its media and tokens? Type its name: ", c.Name), c.Name) {
		fmt.Fprintln(os.Stderr, "nothing deleted")
		return errFailed
	}
	return withStore(ctx, c.StorageFlags, func(db *store.Store) error {
		var a account.Account
		err := db.View(ctx, func(tx *store.Tx) (err error) {
			a, err = tx.AccountByName(c.Name)
			return err
		})
		if err != nil {
			return err
		}
		return pipeline.DeleteAccount(ctx, db, a.ID)
	})
}

// queueCommand looks after jobs.
type queueCommand struct {
	List    queueList    `cmd:"" help:"List jobs."`
	Requeue queueRequeue `cmd:"" help:"Run dead jobs again."`
}

type queueList struct {
	config.StorageFlags
	State string `help:"Only jobs in this state: ready, running or dead." enum:"ready,running,dead,all" default:"all"`
	Limit int    `help:"How many at most." default:"100"`
}

// Run lists jobs.
func (c *queueList) Run(ctx context.Context) error {
	filter := job.Filter{Limit: c.Limit}
	if c.State != "all" {
		filter.State = job.State(c.State)
	}
	return withStore(ctx, c.StorageFlags, func(db *store.Store) error {
		jobs, err := db.Queue().List(ctx, filter)
		if err != nil {
			return err
		}
		rows := [][]any{{"JOB", "KIND", "MEDIA", "STATE", "WORKER", "ATTEMPTS", "CREATED", "LAST ERROR"}}
		for _, j := range jobs {
			rows = append(rows, []any{j.ID, j.Kind, j.Subject, j.State, j.Worker, j.Attempts, day(j.Created), j.LastError})
		}
		return table(rows)
	})
}

type queueRequeue struct {
	config.StorageFlags
	IDs []string `arg:"" name:"job" optional:"" help:"Ids of dead jobs."`
	All bool     `help:"All dead jobs."`
}

// Run makes dead jobs ready again.
func (c *queueRequeue) Run(ctx context.Context) error {
	return withStore(ctx, c.StorageFlags, func(db *store.Store) error {
		ids := c.IDs
		if c.All {
			dead, err := db.Queue().List(ctx, job.Filter{State: job.Dead, Limit: 100_000})
			if err != nil {
				return err
			}
			for _, j := range dead {
				ids = append(ids, string(j.ID))
			}
		}
		for _, id := range ids {
			if err := requeue(ctx, db, job.ID(id)); err != nil {
				return err
			}
			fmt.Println(id)
		}
		return nil
	})
}

// requeue makes a dead job ready, and says so in its account's audit log.
func requeue(ctx context.Context, db *store.Store, id job.ID) error {
	return db.Queue().Requeue(store.Also(ctx, func(tx *store.Tx) error {
		j, err := tx.Job("", id)
		if err != nil {
			return err
		}
		return tx.AddEvents(audit.Event{
			ID: audit.NewID(), Account: account.ID(j.Account), By: audit.ByCommand, Action: audit.Change, Object: "queue/requeue",
			Media: media.ID(j.Subject), Name: string(id), Outcome: audit.Done,
		})
	}), "", id)
}

// migrateCommand brings the database up to date.
type migrateCommand struct{ config.StorageFlags }

// Run migrates.
func (c *migrateCommand) Run(ctx context.Context) error {
	return withStore(ctx, c.StorageFlags, func(*store.Store) error {
		fmt.Println("the database is up to date")
		return nil
	})
}

// table prints rows in columns.
func table(rows [][]any) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, cell)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

func day(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.Local().Format("2006-01-02 15:04")
}

func confirm(question, answer string) bool {
	fmt.Fprint(os.Stderr, question)
	var typed string
	fmt.Scanln(&typed)
	return typed == answer
}
