# ruff: noqa: E501, ISC004 - samples in one piece
"""Made-up secrets and look-alikes, written before the detector they judge.

Secrets are put together from pieces so that no scanner takes this file for a leak.
"""

LOWER = "abcdefghijklmnopqrstuvwxyz"
MIXED = "aZ3bY7cX1dW9eV5fU2gT8hS4iR6jQ0kPmNoLpKqJrIsHtGuFvE"
HEX = "3f9a1c07e5b2d8460f1e9c7a5b3d1f08e6c4a2b0"

SECRETS: dict[str, tuple[str, str]] = {
    "github classic": ("push with ghp" + "_" + MIXED[:36] + " please", "ghp" + "_" + MIXED[:36]),
    "github fine-grained": ("", "github" + "_pat_" + MIXED[:22] + "_" + MIXED + MIXED[:9]),
    "github server": ("", "ghs" + "_" + MIXED[2:38]),
    "gitlab": ("", "glpat" + "-" + MIXED[:20]),
    "gitlab routable": ("", "glpat" + "-" + MIXED[:27] + ".01." + MIXED[3:12]),
    "slack bot": ("", "xoxb" + "-123456789012-1234567890123-" + MIXED[:24]),
    "slack app": ("", "xapp" + "-1-A01B2C3D4E5-1234567890123-" + HEX),
    "slack webhook": (
        "",
        "https://hooks.slack" + ".com/services/T01ABCDEF/B01ABCDEF/" + MIXED[:24],
    ),
    "stripe live": ("", "sk" + "_live_" + MIXED[:24]),
    "stripe restricted": ("", "rk" + "_live_" + MIXED + MIXED[:40]),
    "stripe test": ("", "sk" + "_test_" + MIXED[:32]),
    "openai project": ("", "sk-" + "proj-" + MIXED + "-" + MIXED + "_" + MIXED),
    "openai old": ("", "sk-" + MIXED[:20] + "T3Blbk" + "FJ" + MIXED[5:25]),
    "anthropic": ("", "sk-" + "ant-api03-" + MIXED + MIXED[:43] + "-AA"),
    "openrouter": ("", "sk-" + "or-v1-" + HEX + HEX[:24]),
    "google api": ("", "AIza" + "Sy" + MIXED[:33]),
    "google oauth": ("", "GOCSPX" + "-" + MIXED[:28]),
    "npm": ("", "npm" + "_" + MIXED[:36]),
    "pypi": ("", "pypi-" + "AgEIcHlwaS5vcmc" + MIXED + MIXED[:30]),
    "hugging face": ("", "hf" + "_" + LOWER + LOWER[:8]),
    "aws access key": ("", "AKIA" + "IOSFODNN7EXAMPLQ"),
    "aws secret": (
        "aws_secret_access_key = " + "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEQ",
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEQ",
    ),
    "jwt": ("", "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0." + MIXED[:43]),
    "sendgrid": ("", "SG" + "." + MIXED[:22] + "." + MIXED[:43]),
    "digitalocean": ("", "dop" + "_v1_" + HEX + HEX[:24]),
    "telegram": ("", "123456789" + ":AA" + MIXED[:33]),
    "basic auth url": (
        "git clone https://dani:" + "hunter2secret@git.example/x.git",
        "hunter2secret",
    ),
    "database url": ("postgresql://app:" + "s3cr3tPw@db.internal:5432/app", "s3cr3tPw"),
    "env password": ("DB_PASSWORD=" + "hunter2", "hunter2"),
    "exported token": (
        "export API_TOKEN='" + "f00ba4-77aa-longvalue" + "'",
        "f00ba4-77aa-longvalue",
    ),
    "json password": ('{"user": "dani", "password": "' + 'correct horse 9"}', "correct horse 9"),
    "yaml secret": ("client_secret: " + "Zx81-spectrum-1982", "Zx81-spectrum-1982"),
    "bearer header": ("Authorization: Bearer " + MIXED[:40], MIXED[:40]),
    "said in prose": ("the password is " + "Tr0ub4dor&3", "Tr0ub4dor&3"),
    "command line": ("mysql --user root --password=" + "Sw0rdfish!", "Sw0rdfish!"),
    "pem": (
        "key:\n-----BEGIN RSA PRIVATE" + " KEY-----\nMIIEpAIBAAKCAQEA\nabc\n-----END RSA PRIVATE"
        " KEY-----\nafter",
        "MIIEpAIBAAKCAQEA",
    ),
    "pem cut off": (
        "-----BEGIN OPENSSH PRIVATE" + " KEY-----\nb3BlbnNzaC1rZXk\nAAAA",
        "b3BlbnNzaC1rZXk",
    ),
    "pem in json": (
        '{"private_key": "-----BEGIN PRIVATE'
        ' KEY-----\\nMIIEvQIBADANBg\\n-----END PRIVATE KEY-----\\n"}',
        "MIIEvQIBADANBg",
    ),
}
"""Name: (the text, what must not remain of it); an empty text is the secret in a sentence."""

LOOK_ALIKES = {
    "git sha": "commit 9c1185a5c5e9fc54612808977ee8f548b2258d31 fixes it",
    "short sha": "see 8cc42b0 and bb15998",
    "uuid": "session 258c7280-ae70-4798-800f-63464d01a85d",
    "sha256": "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "md5": "the md5 is d41d8cd98f00b204e9800998ecf8427e",
    "placeholder angle": "password=<your password>",
    "placeholder stars": "PASSWORD=********",
    "placeholder x": "API_KEY=xxxxxxxxxxxx",
    "placeholder words": 'api_key = "your-api-key-here"',
    "placeholder shell": "TOKEN=${GITHUB_TOKEN}",
    "placeholder braces": "password: {{ vault_password }}",
    "python environ": 'token = os.environ["X"]',
    "python call": "password = get_password(user)",
    "js environ": "const apiKey = process.env.API_KEY;",
    "attribute": "self.password = password",
    "type": "password: str",
    "optional type": "api_key: str | None = None",
    "empty": 'password = ""',
    "none": "secret = None",
    "boolean": "require_password: true",
    "base64 image": "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
    "order number": "order 4111-0022-9933 shipped, invoice 20260301123456",
    "phone": "call +49 30 901820 or 555-0100",
    "key in prose": "the key: always write tests first",
    "secret in prose": "the secret is to keep it simple",
    "password in prose": "the password is checked on login",
    "password flow": "Password reset: users get a mail",
    "token count": "tokens: 15234, max_tokens=4096",
    "token kind": "token_type: bearer",
    "identifier": "sort_key=created_at and primary_key: user_id",
    "kebab name": "sk-learn-pipeline-with-standard-scaler-and-pca-2024",
    "sk word": "sk-learn and task-based, risk-averse desk-top-publishing",
    "url with port": "http://localhost:8080/path@2x.png",
    "ssh address": "git@github.com:owner/repo.git and ssh://git@host.example:22/x",
    "email": "dani@example.org wrote to ana@example.org",
    "npm script": "npm_config_cache and npm_package_version",
    "public key": "-----BEGIN PUBLIC KEY-----\nMIIBIjANBg\n-----END PUBLIC KEY-----",
    "ssh public key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample dani@host",
    "lock file": '"integrity": "sha512-6vQvPVMFmCUdOaPGfVQpTqsLFzJrTCMkrn3WrpZ1xvGdTQfyMBNYsgnU6sFo8w=="',
    "version pair": "node:20.11.1@sha256 and a:b@c",
    "hook name": "ghp_ is the prefix of classic tokens; xoxb- is Slack's, AKIA is AWS's",
}
"""Name: a text of which every character must stay."""
