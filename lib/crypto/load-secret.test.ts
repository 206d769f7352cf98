import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'
import { loadSecret } from './load-secret'

const DATA_DIR = mkdtempSync(join(tmpdir(), 'engine-secret-'))
afterAll(() => rmSync(DATA_DIR, { recursive: true }))

describe('the secret of the app', () => {
  test('is the one that is set', async () => {
    const settings = parseEnv({ NEXTAUTH_SECRET: 'x'.repeat(32), DATA_DIR })
    expect(await loadSecret(settings)).toEqual({ current: 'x'.repeat(32), previous: null })
  })

  test('is accompanied by the one before while that is set, which must differ', async () => {
    const [NEXTAUTH_SECRET, former] = ['x'.repeat(32), 'y'.repeat(32)]
    const settings = parseEnv({ NEXTAUTH_SECRET, NEXTAUTH_SECRET_PREVIOUS: former, DATA_DIR })
    expect(await loadSecret(settings)).toEqual({ current: NEXTAUTH_SECRET, previous: former })
    const twice = { NEXTAUTH_SECRET, NEXTAUTH_SECRET_PREVIOUS: NEXTAUTH_SECRET }
    expect(() => parseEnv(twice)).toThrow('NEXTAUTH_SECRET_PREVIOUS: is NEXTAUTH_SECRET itself')
  })

  test('must be set in production', async () => {
    const settings = parseEnv({ NODE_ENV: 'production', DATA_DIR })
    await expect(loadSecret(settings)).rejects.toThrow('NEXTAUTH_SECRET is not set')
  })

  test('is refused when it is short, and not shown', () => {
    expect(() => parseEnv({ NEXTAUTH_SECRET: 'short canary' })).toThrow('at least 32 characters')
    expect(() => parseEnv({ NEXTAUTH_SECRET: 'short canary' })).not.toThrow('canary')
  })

  test('is made once and kept for its owner alone while trying out', async () => {
    const settings = parseEnv({ DATA_DIR })
    const loaded = await Promise.all([1, 2, 3].map(() => loadSecret(settings)))
    const secrets = loaded.map(({ current }) => current)
    expect(new Set(secrets).size).toBe(1)
    expect(secrets[0]).toHaveLength(43)
    expect(readFileSync(join(DATA_DIR, 'secret'), 'utf8')).toBe(secrets[0])
    expect(statSync(join(DATA_DIR, 'secret')).mode & 0o777).toBe(0o600)
  })
})
