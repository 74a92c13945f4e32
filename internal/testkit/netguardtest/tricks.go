package netguardtest

import "strings"

// Tricks returns addresses that are to be refused at sight, one for each trick.
func Tricks() []string {
	return []string{
		// schemes and shapes
		"", " ", "https", "https:", "https:/", "https://", "https:///", "https:///path", "//example.com/", "/x", "x", "example.com", "example.com:443",
		"https:example.com", "https:/example.com", "ftp://example.com/", "file:///etc/passwd", "file://example.com/x", "gopher://example.com:70/_x",
		"dict://example.com:11211/", "ldap://example.com/", "tftp://example.com/", "sftp://example.com/", "jar:https://example.com!/", "data:text/plain,x",
		"javascript:alert(1)", "ws://example.com/", "unix:///var/run/docker.sock", "http+unix://%2Fvar%2Frun%2Fdocker.sock/", "netdoc:///etc/passwd",
		"view-source:https://example.com", "blob:https://example.com/1", "htps://example.com", "\thttps://example.com", " https://example.com/", "https ://example.com/",
		"https://exa mple.com/", "https://example.com\r\nHost: x/", "https://example.com\x00.evil/", "https://example.com\n", "%68ttps://example.com",
		// users, and hosts that hide behind them
		"https://user@example.com/", "https://user:pass@example.com/", "https://@example.com/", "https://:@example.com/", "https://example.com@127.0.0.1/",
		"https://example.com:80@127.0.0.1/", "https://127.0.0.1@example.com/", "https://a@b@127.0.0.1/", "https://example.com%40127.0.0.1/",
		"https://example.com\\@127.0.0.1/", "https://127.0.0.1\\@example.com/", "https://127.0.0.1#@example.com/", "https://127.0.0.1?@example.com/",
		"https://example.com\\.evil.com/", "https:\\\\127.0.0.1\\", "https:/\\127.0.0.1/", "https://\\127.0.0.1/", "https://127.0.0.1\\.example.com/",
		"https://example.com:443\\@127.0.0.1/", "https://user%40example.com@127.0.0.1/", "https://example.com%2f@127.0.0.1/", "https://localhost:443@example.com/", "https://a:b:c@example.com/",
		// hosts that are none, or ours
		"https://%31%32%37.0.0.1/", "https://127%2e0%2e0%2e1/", "https://%6c%6f%63%61%6c%68%6f%73%74/", "https://[127.0.0.1]/", "https://[::1", "https://::1/",
		"https://[]/", "https://[:]/", "https://[::1]:/", "https://[::1]x/", "https://[::1].example.com/", "https://[fe80::1%25eth0]/", "https://[fe80::1%eth0]/",
		"https://[::1%25lo]/", "https://[2606:4700::1%25lo]/", "https://localhost/", "https://LOCALHOST/", "https://localhost./", "https://LocalHost:8080/",
		"https://foo.localhost/", "https://a.b.localhost./", "https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/", "https://localhost.localdomain/", "https://ｌｏｃａｌｈｏｓｔ/", "https://①②⑦.⓪.⓪.①/",
		"https://127.0.0.1:8080/", "https://127.0.0.1:443/latest/meta-data/", "https://metadata.google.internal/computeMetadata/v1/", "https://METADATA.google.internal./",
		"https://metadata/", "https://instance-data/latest/", "https://metadata.goog/", "https://example.com<x>/", "https://exa|mple.com/", "https://./", "https://../", "https://a..b/", "https://.a/",
		"https://127.0.0.1%23.example.com/", "https://127.0.0.1%00.example.com/", "https://localhost%00/", "https://localhost%2f.example.com/", "https://ⅼocalhost/",
		"https://loc\u00adalhost/", "https://local\u2060host/", "https://[::１]/", "https://１２７.0.0.1/", "https://127．0．0．1/", "https://127｡0｡0｡1/", "https://metadata.google.internal:443/",
		"https://0.0.0.0:443/", "https://169.254.169.254.:443/", "HTTPS://127.0.0.1/", "https://127.0.0.1../",
		// numbers that are no address
		"https://127.1/", "https://127.0.1/", "https://0/", "https://00/", "https://0x0/", "https://0x/", "https://1.2.3.4.5/", "https://256.1.1.1/", "https://1.2.3.256/",
		"https://999999999999/", "https://99999999999999999999999/", "https://0xffffffffff/", "https://09.1.1.1/", "https://1..2/", "https://1.2.3.0x/", "https://example.1/",
		"https://127.0.0.1.1/", "https://foo.0x7f/", "https://8.8.8.010/", "https://0x08.8.8.8/", "https://134744072/", "https://8.8.2056/", "https://08.8.8.8/",
		"https://0o177.0.0.1/", "https://127.0x0.0.1/", "https://127.0.0x1/", "https://0127.0.0.1/", "https://0x7f000001./", "https://2130706433./", "https://4294967296/", "https://4294967295/",
		"https://0x1_27.0.0.1/", "https://127.65535/", "https://10.1/", "https://192.168.257/", "https://169.16689662/", "https://0xa9fea9fe:443/",
		// IPv6 beyond the public Internet
		"https://[::]/", "https://[::1]/", "https://[0:0:0:0:0:0:0:1]/", "https://[0000::0001]/", "https://[::2]/", "https://[::ffff:0:127.0.0.1]/", "https://[::ffff:8.8.8.8]/",
		"https://[64:ff9b::8.8.8.8]/", "https://[100::1]/", "https://[fc00::1]/", "https://[fd00:ec2::254]/", "https://[fdff::1]/", "https://[fe80::1]/", "https://[fec0::1]/",
		"https://[ff02::1]/", "https://[ff0e::1]/", "https://[2001::1]/", "https://[2001:10::1]/", "https://[2001:20::1]/", "https://[2001:db8::1]/", "https://[2002:7f00:1::]/",
		"https://[2002:808:808::1]/", "https://[3fff::1]/", "https://[4000::1]/", "https://[5f00::1]/", "https://[::7f00:1]/", "https://[fd20:ce::254]/",
		"https://[0:0:0:0:0:ffff:127.0.0.1]/", "https://[::FFFF:7F00:0001]/", "https://[::ffff:127.1]/", "https://[::ffff:0x7f.0.0.1]/", "https://[::ffff:127.0.0.1%25lo]/", "https://[0::0]:443/",
		"https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/", "https://[2001:2::1]/", "https://[100:0:0:1::1]/", "https://[64:ff9b:0:0:0:0:a00:1]/", "https://[64:ff9b:1:fffe::a00:1]/", "https://[1::1]/",
		"https://[fd00:ec2::254]:443/latest/", "https://[fe80::a9fe:a9fe]/", "https://[e000::1]/", "https://[0177::1]/",
		// ports of other protocols, and none
		"https://example.com:0/", "https://example.com:65536/", "https://example.com:-1/", "https://example.com:x/", "https://example.com:/", "https://example.com:22/",
		"https://example.com:25/", "https://example.com:6379/", "https://example.com:11211/", "https://example.com:5432/", "https://example.com:3306/", "https://example.com:2375/",
		"https://example.com:025/", "https://example.com:443:25/", "https://example.com:６３７９/", "https://example.com:99999999999999999999/", "https://example.com:0x19/",
		"https://example.com:23/", "https://example.com:110/", "https://example.com:143/", "https://example.com:389/", "https://example.com:587/", "https://example.com:2379/", "https://example.com:6667/",
		"https://example.com:9042/", "https://example.com:9092/", "https://example.com:10250/", "https://example.com:27017/", "https://example.com:0443x/", "https://example.com:+443/", "https://example.com: 443/",
		// plain
		"http://127.0.0.1/", "http://169.254.169.254/latest/meta-data/iam/security-credentials/", "https://" + strings.Repeat("a", 4096) + ".com/",
	}
}
