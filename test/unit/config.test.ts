import { homedir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../../src/config.ts';

function problemsOf(environment: Record<string, string>): ConfigError {
  try {
    loadConfig(environment, '/project');
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

describe('defaults', () => {
  test('an empty environment is a whole configuration, with the scripted model', () => {
    const config = loadConfig({}, '/project');
    expect(config).toMatchObject({ home: '/project/.loopwright', databaseUrl: null, taskQueue: 'loopwright', logLevel: 'info', provider: null });
    expect(config.cache.startsWith(homedir())).toBe(true);
    expect(config.notices.join()).toContain('scripted');
  });

  test('a variable set to nothing is not set', () => {
    expect(loadConfig({ DATABASE_URL: '', LOOPWRIGHT_TASK_QUEUE: ' ', OPENAI_BASE_URL: '' }, '/project')).toEqual(loadConfig({}, '/project'));
  });

  test('XDG_CACHE_HOME holds the cache; relative folders start at the working folder', () => {
    expect(loadConfig({ XDG_CACHE_HOME: '/caches' }, '/project').cache).toBe('/caches/loopwright');
    expect(loadConfig({ LOOPWRIGHT_HOME: 'state', LOOPWRIGHT_CACHE: '../cache' }, '/project')).toMatchObject({ home: '/project/state', cache: '/cache' });
  });
});

describe('the model', () => {
  test('LOOPWRIGHT_MODEL with a provider is a real model; without a judge that is said', () => {
    const config = loadConfig({ LOOPWRIGHT_MODEL: 'writer-1', OPENAI_API_KEY: 'sk-secret-secret' });
    expect(config.provider).toMatchObject({ writer: 'writer-1', judge: null, strict: true, stream: true, writerPrice: null, contextWindow: 128_000 });
    expect(config.notices.join()).toContain('judge is off');
    expect(loadConfig({ LOOPWRIGHT_MODEL: 'a', LOOPWRIGHT_JUDGE_MODEL: 'b', OPENAI_BASE_URL: 'http://127.0.0.1:8000/v1' }).notices).toEqual([]);
  });

  test('a key alone spends no money: the scripted model answers, and that is said', () => {
    const config = loadConfig({ OPENAI_API_KEY: 'sk-secret-secret' });
    expect(config.provider).toBeNull();
    expect(config.notices.join()).toContain('LOOPWRIGHT_MODEL is not');
  });

  test('prices are given in USD and kept in micro-USD per million tokens', () => {
    const { provider } = loadConfig({ LOOPWRIGHT_MODEL: 'a', OPENAI_API_KEY: 'key-12345678', LOOPWRIGHT_PRICE_INPUT: '0.15', LOOPWRIGHT_PRICE_OUTPUT: '0.6' });
    expect(provider!.writerPrice).toEqual({ inputMicrosPerMillion: 150_000, outputMicrosPerMillion: 600_000 });
  });
});

describe('identity', () => {
  test('secret keys lie in the home unless another folder is named', () => {
    expect(loadConfig({}, '/project').keys).toBe('/project/.loopwright/keys');
    expect(loadConfig({ LOOPWRIGHT_HOME: 'state', LOOPWRIGHT_KEYS: 'secrets' }, '/project').keys).toBe('/project/secrets');
  });

  test('an issuer is taken with its audience, and with claims that have defaults', () => {
    expect(loadConfig({}).gateway.oidc).toBeNull();
    expect(loadConfig({ LOOPWRIGHT_OIDC_ISSUER: 'https://login.example.com/', LOOPWRIGHT_OIDC_AUDIENCE: 'loopwright' }).gateway.oidc).toEqual({
      issuer: 'https://login.example.com/',
      audience: 'loopwright',
      jwksUrl: null,
      subjectClaim: 'sub',
      tenantClaim: null,
      rolesClaim: 'roles',
    });
    expect(loadConfig({ LOOPWRIGHT_OIDC_ISSUER: 'http://127.0.0.1:9000', LOOPWRIGHT_OIDC_AUDIENCE: 'loopwright' }).gateway.oidc).toMatchObject({ issuer: 'http://127.0.0.1:9000' });
  });
});

describe('errors name the variable and the fix, never the value', () => {
  test.each([
    [{ DATABASE_URL: 'mysql://root:hunter2secret@host/db' }, 'DATABASE_URL', 'postgresql://'],
    [{ OPENAI_API_KEY: 'sk-hunter2secret with space' }, 'OPENAI_API_KEY', 'Copy the key again'],
    [{ OPENAI_BASE_URL: 'hunter2secret' }, 'OPENAI_BASE_URL', 'https://'],
    [{ LOOPWRIGHT_OIDC_ISSUER: 'https://hunter2secret.example.com' }, 'LOOPWRIGHT_OIDC_AUDIENCE', 'audience'],
    [{ LOOPWRIGHT_OIDC_ISSUER: 'http://hunter2secret.example.com', LOOPWRIGHT_OIDC_AUDIENCE: 'a' }, 'LOOPWRIGHT_OIDC_ISSUER', 'https://'],
    [{ LOOPWRIGHT_OIDC_ISSUER: 'http://localhost.hunter2secret.com', LOOPWRIGHT_OIDC_AUDIENCE: 'a' }, 'LOOPWRIGHT_OIDC_ISSUER', 'https://'],
    [{ LOOPWRIGHT_OIDC_ISSUER: 'https://a.example', LOOPWRIGHT_OIDC_AUDIENCE: 'a', LOOPWRIGHT_OIDC_JWKS_URL: 'http://hunter2secret' }, 'LOOPWRIGHT_OIDC_JWKS_URL', 'https://'],
    [{ LOOPWRIGHT_OIDC_ISSUER: 'hunter2secret', LOOPWRIGHT_OIDC_AUDIENCE: 'a' }, 'LOOPWRIGHT_OIDC_ISSUER', 'https://'],
    [{ LOOPWRIGHT_LOG_LEVEL: 'loud' }, 'LOOPWRIGHT_LOG_LEVEL', 'debug, info'],
    [{ LOOPWRIGHT_MODEL_STRICT: 'yes' }, 'LOOPWRIGHT_MODEL_STRICT', 'true or false'],
    [{ LOOPWRIGHT_PRICE_INPUT: 'cheap', LOOPWRIGHT_PRICE_OUTPUT: '1' }, 'LOOPWRIGHT_PRICE_INPUT', 'USD per million'],
    [{ LOOPWRIGHT_PRICE_INPUT: '-1', LOOPWRIGHT_PRICE_OUTPUT: '1' }, 'LOOPWRIGHT_PRICE_INPUT', 'USD per million'],
    [{ LOOPWRIGHT_PRICE_INPUT: '1' }, 'LOOPWRIGHT_PRICE_OUTPUT', 'both prices'],
    [{ LOOPWRIGHT_CONTEXT_WINDOW: '12.5' }, 'LOOPWRIGHT_CONTEXT_WINDOW', 'tokens'],
    [{ LOOPWRIGHT_MODEL: 'a' }, 'LOOPWRIGHT_MODEL', 'OPENAI_API_KEY'],
    [{ LOOPWRIGHT_JUDGE_MODEL: 'a' }, 'LOOPWRIGHT_JUDGE_MODEL', 'LOOPWRIGHT_MODEL'],
    [{ LOOPWRIGHT_EMBEDDING_MODEL: 'a' }, 'LOOPWRIGHT_EMBEDDING_MODEL', 'no provider'],
    [{ LOOPWRIGHT_LEAVE_OUT_SHARE: '0.9' }, 'LOOPWRIGHT_LEAVE_OUT_SHARE', 'above 0.5'],
    [{ LOOPWRIGHT_EMBEDDING_DIMENSIONS: '7' }, 'LOOPWRIGHT_EMBEDDING_DIMENSIONS', 'under 8'],
    [{ LOOPWRIGHT_MODEL: 'a', LOOPWRIGHT_JUDGE_MODEL: 'a', OPENAI_API_KEY: 'key-12345678' }, 'LOOPWRIGHT_JUDGE_MODEL', 'must not judge'],
  ] as [Record<string, string>, string, string][])('%j', (environment, variable, fix) => {
    const error = problemsOf(environment);
    expect(error.problems.map((problem) => problem.variable)).toContain(variable);
    expect(error.message).toContain(variable);
    expect(error.message).toContain(fix);
    expect(error.message).not.toContain('hunter2secret');
  });

  test('all problems are named at once', () => {
    expect(problemsOf({ DATABASE_URL: 'x', LOOPWRIGHT_LOG_LEVEL: 'x', LOOPWRIGHT_JUDGE_MODEL: 'x' }).problems).toHaveLength(3);
  });
});
