import type { Language, ScreenFinding } from '../run.ts';

/** What one line of code, or one string of it, must not hold. */
export interface ScreenRule {
  type: ScreenFinding['type'];
  where: 'code' | 'string';
  pattern: RegExp;
  fix: string;
}

const NO_ENVIRONMENT = 'There is no environment here: write the value into the code or read it from standard input.';
const NO_NETWORK = 'There is no network here: work on data in the code, in the given files or on standard input.';
const NO_PROCESS = 'No other program can be started here: do the work in this one.';
const NO_NATIVE = "Native code and the interpreter's inside are not available: use the standard library.";
const PLAIN_IMPORT = 'Name the module in a plain import at the top.';
const OWN_FOLDER = 'Only files beside the program can be used: give a relative name without "..".';

const PATHS: ScreenRule[] = [
  {
    type: 'sensitive_path',
    where: 'string',
    pattern: /(?:^|[^\w.])\/(?:etc|root|home|proc|sys|var|dev(?!\/(?:null|stdin|stdout|stderr)\b)|boot|run|mnt|opt|srv|usr|work|Users)(?:\/|$)/,
    fix: OWN_FOLDER,
  },
  { type: 'sensitive_path', where: 'string', pattern: /(?:^|[/\\])\.\.(?:[/\\]|$)|^~(?:[/\\]|$)|[A-Za-z]:\\(?:Users|Windows)\b/, fix: OWN_FOLDER },
  { type: 'sensitive_path', where: 'string', pattern: /(?:^|[/\\])(?:\.env|\.ssh|\.aws|\.netrc|\.git|\.npmrc|id_(?:rsa|ed25519|ecdsa))(?:[/\\.]|$)/, fix: OWN_FOLDER },
];

const PYTHON_NETWORK = 'socket|socketserver|ssl|http|urllib\\.request|urllib3|requests|httpx|aiohttp|ftplib|smtplib|imaplib|poplib|telnetlib|xmlrpc|websockets?|paramiko';
const PYTHON_PROCESS = 'subprocess|multiprocessing|pty|concurrent\\.futures\\.process';
const PYTHON_NATIVE = 'ctypes|cffi|_ctypes|_posixsubprocess|_socket|mmap|gc|faulthandler';

/** `import a, b` and `from a import …`, also behind a semicolon. */
const pythonImport = (names: string) => new RegExp(`(?:^|;)\\s*(?:import\\s+(?:[\\w.]+(?:\\s+as\\s+\\w+)?\\s*,\\s*){0,20}|from\\s+)(?:${names})(?=[.\\s,;]|$)`);

const PYTHON: ScreenRule[] = [
  { type: 'environment', where: 'code', pattern: /\.(?:environb?|getenvb?|putenv|unsetenv)\b|\bfrom\s+os\s+import\b.{0,200}\b(?:environb?|getenvb?)\b/, fix: NO_ENVIRONMENT },
  { type: 'network', where: 'code', pattern: pythonImport(PYTHON_NETWORK), fix: NO_NETWORK },
  { type: 'network', where: 'code', pattern: /\basyncio\s*\.\s*(?:open_connection|start_server|open_unix_connection|start_unix_server)\b/, fix: NO_NETWORK },
  { type: 'process', where: 'code', pattern: pythonImport(PYTHON_PROCESS), fix: NO_PROCESS },
  {
    type: 'process',
    where: 'code',
    pattern:
      /\bos\s*\.\s*(?:system|popen|fork|forkpty|exec[lv]p?e?|spawn[lv]p?e?|posix_spawnp?|kill|killpg|setuid|setgid|chroot|ptrace|startfile)\b|\bfrom\s+os\s+import\b.{0,200}\b(?:system|popen|fork|execvp?e?|spawnvp?e?|kill)\b/,
    fix: NO_PROCESS,
  },
  { type: 'process', where: 'code', pattern: /\basyncio\s*\.\s*create_subprocess_\w+/, fix: NO_PROCESS },
  { type: 'native_code', where: 'code', pattern: pythonImport(PYTHON_NATIVE), fix: NO_NATIVE },
  { type: 'native_code', where: 'code', pattern: /\.__(?:subclasses|globals|builtins)__\b|\bsys\s*\.\s*(?:_getframe|setprofile|settrace)\b/, fix: NO_NATIVE },
  { type: 'dynamic_import', where: 'code', pattern: /\b__import__\b|(?:^|;)\s*(?:import|from)\s+(?:importlib|imp|runpy)\b|\bgetattr\s*\(\s*os\b/, fix: PLAIN_IMPORT },
];

const JAVASCRIPT_NETWORK = 'net|tls|dgram|dns|https?|http2|undici|ws|axios|node-fetch|inspector';
const JAVASCRIPT_PROCESS = 'child_process|cluster|worker_threads|process';
const javascriptModule = (names: string) => new RegExp(`^(?:node:)?(?:${names})(?:/|$)`);

/** Names of modules are strings: the scanner gives them with the line they are on. */
const JAVASCRIPT: ScreenRule[] = [
  {
    type: 'environment',
    where: 'code',
    pattern: /\bprocess\s*(?:\?\.|\.)\s*env\b|\bimport\.meta\.env\b|\bDeno\.env\b|\{[^}]{0,200}\benv\b[^}]{0,200}\}\s*=\s*process\b/,
    fix: NO_ENVIRONMENT,
  },
  { type: 'network', where: 'code', pattern: /(?:^|[^\w.$])(?:fetch|XMLHttpRequest|WebSocket|EventSource|RTCPeerConnection)\s*\(/, fix: NO_NETWORK },
  {
    type: 'process',
    where: 'code',
    pattern: /\bprocess\s*\.\s*(?:kill|binding|dlopen|abort|setuid|setgid|chdir|mainModule)\b|\b(?:execSync|spawnSync|execFileSync)\s*\(/,
    fix: NO_PROCESS,
  },
  { type: 'native_code', where: 'code', pattern: /\bconstructor\s*\.\s*constructor\b|\bnew\s+WebAssembly\b|\bWebAssembly\s*\./, fix: NO_NATIVE },
];

/** Only looked for on lines that import. */
export const JAVASCRIPT_MODULES: { type: ScreenFinding['type']; pattern: RegExp; fix: string }[] = [
  { type: 'network', pattern: javascriptModule(JAVASCRIPT_NETWORK), fix: NO_NETWORK },
  { type: 'process', pattern: javascriptModule(JAVASCRIPT_PROCESS), fix: NO_PROCESS },
  { type: 'native_code', pattern: javascriptModule('vm|v8|module|ffi|std|os'), fix: NO_NATIVE },
];

export const RULES: Record<Language, ScreenRule[]> = { python: [...PYTHON, ...PATHS], javascript: [...JAVASCRIPT, ...PATHS] };
