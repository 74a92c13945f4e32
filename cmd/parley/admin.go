package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"parley/internal/call/wire"
	"parley/internal/flow/pipeline"
	"parley/internal/operation/config"
	"parley/internal/operation/server"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/web/auth"
	"parley/internal/words/account"
	"parley/internal/words/audit"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// withStore runs f on the existing database that the flags name; a server may use it at the same time.
func withStore(ctx context.Context, flags config.StorageFlags, f func(*store.Store) error) error {
	storage, err := storageOf(flags)
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

// withAccount runs f on the account with a name, in one transaction.
func withAccount(
	ctx context.Context, flags config.StorageFlags, name string, f func(*store.Tx, account.Account) error,
) error {
	return withStore(ctx, flags, func(db *store.Store) error {
		return db.Update(ctx, func(tx *store.Tx) error {
			a, err := tx.AccountByName(name)
			if err != nil {
				return err
			}
			return f(tx, a)
		})
	})
}

// tokenCommand manages access tokens.
type tokenCommand struct {
	Create tokenCreate `cmd:"" help:"Create a token and print its value."`
	List   tokenList   `cmd:"" help:"List tokens, without their secrets."`
	Revoke tokenRevoke `cmd:"" help:"Revoke a token; it is refused from the next request on."`
}

type tokenCreate struct {
	config.StorageFlags
	Account     string   `help:"Account that the token belongs to; default: ${default}." default:"default" placeholder:"NAME"`
	New         bool     `name:"create-account" help:"Create the account if it does not exist."`
	Scopes      string   `help:"Scopes, separated by commas: media:read, media:write, definitions, keys, analytics, admin. Default: all." placeholder:"SCOPES"`
	Description string   `help:"Purpose of the token." placeholder:"TEXT"`
	Expires     lifetime `help:"Time until it expires, such as 90d or 12h; default: never, with --sign-in 7d." placeholder:"TIME"`
	SignIn      bool     `help:"Instead of the token, print a link that signs a browser in: once, within 10 minutes. When the token expires it is removed." name:"sign-in"`
	PublicURL   string   `help:"Address of the server in the link of --sign-in; default: ${default}." default:"http://127.0.0.1:8080" name:"public-url" env:"PARLEY_PUBLIC_URL" placeholder:"URL"`
}

// lifetime is a duration flag that also accepts days, like the settings of the server.
type lifetime time.Duration

// UnmarshalText implements encoding.TextUnmarshaler for the flag parser.
func (l *lifetime) UnmarshalText(text []byte) error {
	d, err := config.ParseTime(string(text))
	if err != nil || d <= 0 {
		return fmt.Errorf("invalid lifetime %q; use one such as 90d or 12h", text)
	}
	*l = lifetime(d)
	return nil
}

func (c *tokenCreate) Run(ctx context.Context) error {
	scopes, err := account.ParseScopes(c.Scopes)
	if err != nil {
		return usagef("--scopes: %w", err)
	}
	token := account.Token{Description: c.Description, Scopes: scopes}
	if c.SignIn {
		return c.signIn(ctx, token)
	}
	if c.Expires > 0 {
		token.Expires = time.Now().Add(time.Duration(c.Expires))
	}
	secret := auth.NewSecret()
	err = withStore(ctx, c.StorageFlags, func(db *store.Store) error {
		return db.Update(ctx, func(tx *store.Tx) error {
			owner, err := c.owner(tx)
			if err != nil {
				return err
			}
			_, err = addToken(tx, owner, token, secret)
			return err
		})
	})
	if err == nil {
		fmt.Println(string(secret))
	}
	return err
}

// owner returns the account of the token.
func (c *tokenCreate) owner(tx *store.Tx) (account.ID, error) {
	owner, err := tx.AccountByName(c.Account)
	if !fault.Is(err, fault.NotFound) {
		return owner.ID, err
	}
	if !c.New {
		return "", fmt.Errorf("%w; parley account list shows the accounts; give --create-account to create this one", err)
	}
	owner, err = createAccount(tx, c.Account)
	return owner.ID, err
}

// createAccount makes an account and records that in its audit log.
func createAccount(tx *store.Tx, name string) (account.Account, error) {
	a, err := tx.CreateAccount(name)
	if err != nil {
		return a, err
	}
	return a, note(tx, a.ID, audit.Create, "account", "")
}

// addToken stores a token of an account and records that in its audit log.
func addToken(tx *store.Tx, owner account.ID, token account.Token, secret auth.Secret) (account.Token, error) {
	token.Account, token.LastSix = owner, secret.LastSix()
	token, err := tx.CreateToken(token, secret.Hash())
	if err != nil {
		return token, err
	}
	return token, note(tx, owner, audit.Create, "profile/keys", token.ID)
}

// note records an action of the operator in the audit log of the account.
func note(tx *store.Tx, owner account.ID, action audit.Action, object, name string) error {
	return tx.AddEvents(audit.Event{
		ID: audit.NewID(), Account: owner, By: audit.ByCommand, Action: action, Object: object, Name: name,
		Outcome: audit.Done,
	})
}

type tokenList struct {
	config.StorageFlags
	Account string `help:"Account." default:"default" placeholder:"NAME"`
	printing
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
		return local(c.printing, wire.NewKeys(tokens, time.Now()).Keys, keyRows)
	})
}

type tokenRevoke struct {
	config.StorageFlags
	Account string `help:"Account." default:"default" placeholder:"NAME"`
	ID      string `arg:"" help:"The token's id, as token list shows it."`
}

func (c *tokenRevoke) Run(ctx context.Context) error {
	return withAccount(ctx, c.StorageFlags, c.Account, func(tx *store.Tx, owner account.Account) error {
		if err := tx.RevokeToken(owner.ID, c.ID); err != nil {
			return err
		}
		return note(tx, owner.ID, audit.Delete, "profile/keys", c.ID)
	})
}

// accountCommand manages accounts.
type accountCommand struct {
	Create    accountCreate    `cmd:"" help:"Create an account."`
	List      accountList      `cmd:"" help:"List accounts."`
	Limit     accountLimit     `cmd:"" help:"Set the storage and request limits of an account that differ from the server's."`
	Disable   accountDisable   `cmd:"" help:"Refuse all tokens of an account; --enable accepts them again."`
	Retention accountRetention `cmd:"" help:"Show or set how long an account's recordings are kept by default."`
	Set       accountSet       `cmd:"" help:"Show or change compatibility settings for the answers to an account."`
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
			made, err = createAccount(tx, c.Name)
			return err
		})
		if err == nil {
			fmt.Println(made.ID)
		}
		return err
	})
}

type accountList struct {
	config.StorageFlags
	printing
}

func (c *accountList) Run(ctx context.Context) error {
	return withStore(ctx, c.StorageFlags, func(db *store.Store) error {
		lines := []accountLine{}
		err := db.View(ctx, func(tx *store.Tx) error {
			accounts, err := tx.Accounts()
			for _, a := range accounts {
				line, err := lineOf(tx, a)
				if err != nil {
					return err
				}
				lines = append(lines, line)
			}
			return err
		})
		if err != nil {
			return err
		}
		return local(c.printing, lines, accountRows)
	})
}

type accountDisable struct {
	config.StorageFlags
	Name   string `arg:"" help:"Name of the account."`
	Enable bool   `help:"Enable it again."`
}

// Run disables an account or enables it again.
func (c *accountDisable) Run(ctx context.Context) error {
	return withAccount(ctx, c.StorageFlags, c.Name, func(tx *store.Tx, a account.Account) error {
		if err := tx.SetAccountDisabled(a.ID, !c.Enable); err != nil {
			return err
		}
		return note(tx, a.ID, audit.Change, "account", "")
	})
}

type accountDelete struct {
	config.StorageFlags
	Name string `arg:"" help:"Name of the account."`
	Yes  bool   `help:"Do not ask for confirmation."`
}

// Run deletes an account; a job of the server deletes its blobs.
func (c *accountDelete) Run(ctx context.Context) error {
	return withStore(ctx, c.StorageFlags, func(db *store.Store) error {
		a, err := store.Read(ctx, db, func(tx *store.Tx) (account.Account, error) { return tx.AccountByName(c.Name) })
		if err != nil {
			return err
		}
		if err := c.agreed(a.Name); err != nil {
			return err
		}
		return pipeline.DeleteAccount(ctx, db, a.ID)
	})
}

// agreed asks the user to type the name of the account: this deletes more than any other command.
func (c *accountDelete) agreed(name string) error {
	if c.Yes {
		return nil
	}
	if err := canAsk(); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "Delete the account %s with all its media and tokens? Type its name: ", name)
	if typedWord() == name {
		return nil
	}
	fmt.Fprintln(os.Stderr, "nothing deleted")
	return errFailed
}

// queueCommand manages jobs.
type queueCommand struct {
	List    queueList    `cmd:"" help:"List jobs."`
	Requeue queueRequeue `cmd:"" help:"Run dead jobs again."`
}

type queueList struct {
	config.StorageFlags
	State string `help:"Only jobs in this state: ready, running, dead or all; default: ${default}." enum:"ready,running,dead,all" default:"all" placeholder:"STATE"`
	Limit int    `help:"Maximum number to list; default: ${default}." default:"100" placeholder:"N"`
	printing
}

// Run lists jobs.
func (c *queueList) Run(ctx context.Context) error {
	if err := positive("--limit", c.Limit); err != nil {
		return err
	}
	filter := job.Filter{Limit: c.Limit}
	if c.State != "all" {
		filter.State = job.State(c.State)
	}
	return withStore(ctx, c.StorageFlags, func(db *store.Store) error {
		jobs, err := db.Queue().List(ctx, filter)
		if err != nil {
			return err
		}
		return local(c.printing, linesOfJobs(jobs), jobRows)
	})
}

type queueRequeue struct {
	config.StorageFlags
	IDs []string `arg:"" name:"job" optional:"" help:"Ids of dead jobs."`
	All bool     `help:"All dead jobs."`
}

// Run makes dead jobs ready to run again.
func (c *queueRequeue) Run(ctx context.Context) error {
	if len(c.IDs) == 0 && !c.All {
		return usagef("give the ids of jobs, as parley queue list shows them, or --all")
	}
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

// requeue makes a dead job ready, and records that in its account's audit log.
func requeue(ctx context.Context, db *store.Store, id job.ID) error {
	return db.Queue().Requeue(store.Also(ctx, func(tx *store.Tx) error {
		j, err := tx.Job("", id)
		if err != nil {
			return err
		}
		return tx.AddEvents(audit.Event{
			ID: audit.NewID(), Account: account.ID(j.Account), By: audit.ByCommand, Action: audit.Change,
			Object: "queue/requeue",
			Media:  media.ID(j.Subject), Name: string(id), Outcome: audit.Done,
		})
	}), "", id)
}

// migrateCommand migrates the database.
type migrateCommand struct {
	config.StorageFlags
	Create bool `help:"Create the database, or its tables, if they do not exist; parley serve does so itself."`
}

func (c *migrateCommand) Run(ctx context.Context) error {
	if c.Create {
		storage, err := storageOf(c.StorageFlags)
		if err != nil {
			return err
		}
		db, err := server.MakeStore(ctx, storage)
		if err != nil {
			return err
		}
		if err := db.Close(); err != nil {
			return err
		}
	}
	return withStore(ctx, c.StorageFlags, func(*store.Store) error {
		fmt.Println("the database is up to date")
		return nil
	})
}

// table prints rows with aligned columns.
func table(rows [][]any) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, harmless(fmt.Sprint(cell)))
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// harmless removes the characters from a text that control terminals or break columns: text from others must not have
// effects.
func harmless(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}

func day(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.Local().Format("2006-01-02 15:04")
}
