import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { pluginLock } from '@/lib/installs/history-entries'
import { testDeps } from '@/lib/testing/deps'
import { ASYNC, deps, FILES, THINGS } from '../../../testing/event-streams'
import { historyOf, upload } from '../../../testing/plugin-api'

describe('Prefer: respond-async', () => {
  test('returns 202 immediately with the address of the history, and the install continues', async () => {
    let letGo = () => {}
    const end = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const holder = deps.locks.hold(pluginLock('com.example.shop'), 0, () => end)
    const { status, headers, body } = await upload(deps, THINGS, ASYNC)
    const id = body.data.history
    expect({ status, body }).toEqual({
      status: 202,
      body: {
        status: 202,
        message: 'Plugin installation started',
        data: {
          history: 1,
          pluginId: 'com.example.shop',
          pluginName: 'Shop',
          totalFiles: FILES,
          successCount: 0,
          failedCount: 0,
        },
      },
    })
    expect(headers.get('location')).toBe(`/api/plugins/history/${id}`)
    expect(headers.get('preference-applied')).toBe('respond-async')
    expect(await historyOf(deps, id)).toMatchObject({
      status: 'IN_PROGRESS',
      completedAt: null,
      durationMs: null,
      totalFiles: FILES,
      processedFiles: 0,
    })
    letGo()
    await holder
    const seen = new Set<number>()
    for (;;) {
      const { status, processedFiles, successCount, failedCount } = await historyOf(deps, id)
      expect(processedFiles).toBe(successCount + failedCount)
      seen.add(processedFiles)
      if (status !== 'IN_PROGRESS') break
      await nextTurn()
    }
    expect(seen.size).toBeGreaterThan(2)
    expect(await historyOf(deps, id)).toMatchObject({
      status: 'PARTIAL',
      processedFiles: FILES,
      successCount: FILES - 1,
      failedCount: 1,
      recordCount: FILES - 2,
    })
  })

  test('of a refused archive gets the usual response', async () => {
    expect(await upload(deps, { 'engineplugin.json': '{' }, ASYNC)).toMatchObject({ status: 400 })
  })

  test('that fails in the background ends in the history', async () => {
    await testDeps({ INSTALL_WAIT_MS: '50' })
    let letGo = () => {}
    const end = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const holder = deps.locks.hold(pluginLock('com.example.shop'), 0, () => end)
    const { body } = await upload(deps, THINGS, ASYNC)
    const history = () => historyOf(deps, body.data.history)
    await expect.poll(async () => (await history()).status).toBe('FAILED')
    expect((await history()).errors).toEqual([expect.stringContaining('is running')])
    letGo()
    await holder
  })
})
