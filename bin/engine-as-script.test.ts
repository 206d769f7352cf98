import { describe, expect, test } from 'vitest'
import { newPlugin } from './testing/cli'
import { engine, ROOT } from './testing/engine-command'

describe('engine, from another folder', () => {
  test('as an npm script, takes paths from where it was called', async () => {
    const folder = await newPlugin()
    const env = { npm_lifecycle_event: 'plugin', INIT_CWD: folder }
    expect(await engine(['validate'], ROOT, env)).toMatchObject({ code: 0 })
  })
})
