package config

import (
	"strings"
	"testing"
	"time"
)

func valid() ServeFlags {
	return ServeFlags{
		StorageFlags: StorageFlags{Data: "data"}, Role: "all", Listen: "127.0.0.1:8080", Workers: "0", PerAccount: "0",
		Engines:   "3",
		MaxUpload: "2GiB", MaxDuration: "8h", ReserveDisk: "1.5mb", IndexCache: "20GiB", TimeToLive: "0", UploadTime: "1m",
		DownloadTime: "90s", DrainTimeout: "30s", DrainDelay: "0s", OrphanDays: "7", AuditDays: "365", AccountRate: "5000", TokenRate: "2000",
		AccountRequests: "1000", AccountStorage: "0", AccountDefinitions: "1000", RequestMemory: "1GiB",
		AccountMemory: "320MiB", CallbackConnections: "8", CallbackPatience: "30s", LogFormat: "text", LogLevel: "info",
	}
}

func TestDefaultsAreASQLiteServerOnLoopback(t *testing.T) {
	s, err := Parse(valid())
	if err != nil {
		t.Fatal(err)
	}
	if !s.SQLite() || !strings.HasSuffix(s.Database, "/data/parley.db") || s.MaxUpload != 2<<30 ||
		s.ReserveDisk != 1_500_000 ||
		len(s.CallbackSchedule) != 7 || s.CallbackPatience != 30*time.Second || s.InsecureCallbacks ||
		s.MaxDuration != 8*time.Hour || s.Workers < 1 || s.Engines != 3 || s.UploadTime != time.Minute ||
		s.DownloadTime != 90*time.Second || s.PublicURL != nil {
		t.Errorf("got %+v", s)
	}
}

func TestEveryProblemIsNamedAtOnce(t *testing.T) {
	f := valid()
	f.Role, f.Listen, f.Workers, f.MaxUpload, f.MaxDuration = "boss", "nowhere", "-1", "much", "long"
	f.AuditDays, f.TrustedProxies = "-1", []string{"proxy"}
	f.AccountRate, f.TokenRate, f.AccountRequests, f.AccountStorage, f.AccountDefinitions = "-1", "many", "", "much",
		"all"
	f.Database, f.Blobs, f.PublicURL, f.LogLevel = "mysql://x", "ftp://x", "ftp://x", "loud"
	f.UploadTime, f.DownloadTime = "0", "2h"
	f.AllowNetworks, f.EgressAddress, f.AllowOrigins = []string{"10.0.0.0/8", "ten"}, "here", []string{"*", "x"}
	f.PerAccount = "-2"
	f.CallbackSchedule, f.CallbackConnections = []string{"0s", "1m", "1m"}, "0"
	f.CallbackPatience = "10ms"
	f.EngineURL, f.EngineProgram = []string{"openai+http://gpu:1/?model=m", "openai+http://key:hunter2@gpu/"},
		[]string{" "}
	_, err := Parse(f)
	if err == nil {
		t.Fatal("accepted")
	}
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a secret is repeated:\n%v", err)
	}
	for _, flag := range []string{"role", "listen", "workers", "per-account", "max-upload", "max-duration",
		"upload-time", "download-time", "database", "blobs", "public-url", "log-level", "allow-networks \"ten\"",
		"engine-url number 2", "engine-program", "egress-address", "allow-origins \"x\"", "audit-days",
		"trusted-proxies", "account-rate", "token-rate", "account-requests", "account-storage", "account-definitions",
		"callback-schedule \"1m\"", "callback-connections", "callback-patience"} {
		if !strings.Contains(err.Error(), "--"+flag) {
			t.Errorf("--%s is not named in:\n%v", flag, err)
		}
	}
}

func TestTimesMayBeDays(t *testing.T) {
	for text, want := range map[string]time.Duration{"30d": 720 * time.Hour, "0d": 0, "90s": 90 * time.Second, "0": 0,
		"1h30m": 90 * time.Minute} {
		if got, err := ParseTime(text); err != nil || got != want {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "d", "-1d", "1.5d", "40000d", "1", "x"} {
		if got, err := ParseTime(text); err == nil {
			t.Errorf("%q was taken as %s", text, got)
		}
	}
}

func TestClearHTTPOnOtherThanLoopbackNeedsAFlag(t *testing.T) {
	for listen, ok := range map[string]bool{"127.0.0.1:1": true, "[::1]:1": true, "localhost:1": true,
		"0.0.0.0:1": false, ":8080": false, "192.0.2.1:1": false} {
		f := valid()
		f.Listen = listen
		if _, err := Parse(f); (err == nil) != ok {
			t.Errorf("%s: %v", listen, err)
		}
		f.AllowHTTP = true
		if _, err := Parse(f); err != nil {
			t.Errorf("%s with --allow-http: %v", listen, err)
		}
		f.AllowHTTP, f.TLSCert, f.TLSKey = false, "c", "k"
		if _, err := Parse(f); err != nil {
			t.Errorf("%s with TLS: %v", listen, err)
		}
	}
}

func TestDatabasePasswordIsNotRepeatedInErrors(t *testing.T) {
	f := valid()
	f.Database = "mysql://user:hunter2@host/db"
	if _, err := Parse(f); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v", err)
	}
}

func TestServersThatShareADatabaseNeedOnePlaceForRecordings(t *testing.T) {
	for _, c := range []struct {
		role, database, blobs string
		shared, refused       bool
	}{
		{"worker", "postgres://h/d", "", false, true}, {"api", "postgres://h/d", "", false, true},
		{"api", "postgres://h/d", "s3://bucket/p", false, false}, {"worker", "postgres://h/d", "", true, false},
		{"all", "postgres://h/d", "", false, false}, {"api", "", "", false, false},
	} {
		f := valid()
		f.Role, f.Database, f.Blobs, f.SharedBlobs = c.role, c.database, c.blobs, c.shared
		_, err := Parse(f)
		if c.refused != (err != nil) {
			t.Errorf("%+v: %v", c, err)
		}
		if err == nil {
			continue
		}
		for _, flag := range []string{"--role", "--blobs", "--shared-blobs", "/data/blobs"} {
			if !strings.Contains(err.Error(), flag) {
				t.Errorf("%+v: no %s in %v", c, flag, err)
			}
		}
	}
}
