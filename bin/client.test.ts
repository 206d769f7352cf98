import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { listen } from '@/lib/testing/listen'
import { testKey } from '@/lib/testing/request'
import { newPlugin, run, runJson } from './testing/cli'
import { runningEngine } from './testing/engine'

const { deps, env } = runningEngine()

describe('the server', () => {
  test('refuses keys that it does not know, and those without the right', async () => {
    const folder = await newPlugin()
    const unknown = { ...env, ENGINE_API_KEY: 'eng_nope' }
    expect(await runJson(['plan'], folder, { env: unknown })).toMatchObject({
      code: 1,
      json: { status: 401, error: expect.any(String) },
    })
    const weak = { ...env, ENGINE_API_KEY: await testKey(deps, ['VIEWER']) }
    expect((await runJson(['plan'], folder, { env: weak })).json).toMatchObject({ status: 403 })
  })

  test('that is away is named, and the exit code is 3', async () => {
    const { port, close } = await listen(createServer())
    close()
    const away = { ...env, ENGINE_URL: `http://127.0.0.1:${port}` }
    const { code, err } = await run(['install'], await newPlugin(), { env: away })
    expect([code, err]).toEqual([3, expect.stringContaining(`${away.ENGINE_URL} does not respond`)])
  })

  test('that is no engine is named', async () => {
    const other = createServer((_, response) => response.end('<html>'))
    const { port, close } = await listen(other)
    const elsewhere = { ...env, ENGINE_URL: `http://127.0.0.1:${port}/` }
    const { code, err } = await run(['install'], await newPlugin(), { env: elsewhere })
    close()
    expect([code, err]).toEqual([1, expect.stringContaining('is not an engine')])
  })
})
