import { expect, test } from 'vitest'
import { testsOfCore } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { GET as look } from '../../../trash/[batchId]/route'
import { GET as list } from '../../../trash/route'
import { books, deps, edit, rightsOf, stock, undo } from './testing/books'

const unread = () => rightsOf(['EDITOR'], ['Book:update'])

test('who may not read cannot tell by an undo whether an edit changed anything', async () => {
  const blind = await unread()
  await edit({ old: 'right' })
  const outcome = async (guess: string) => {
    const { status, body } = await edit({ old: guess }, [], 'undo=7d', blind)
    return { status, meta: body.meta, error: body.error }
  }
  const [right, wrong] = [await outcome('right'), await outcome('wrong')]
  expect(right).toEqual(wrong)
  expect(wrong).toMatchObject({ status: 403, error: expect.stringContaining('"Book:read"') })
  expect((await books('old'))[0]).toEqual({ old: 'right' })
})

test.skipIf(testsOfCore())(
  'who may not read cannot compare records with what an edit gave them by taking it back',
  async () => {
    const blind = await unread()
    const { body } = await edit({ old: 'x' }, [stock('lt', 5)], 'undo=7d')
    const { batchId } = body.meta
    await edit({ old: 'guess' }, [], '', blind)
    expect(await undo(batchId, blind)).toMatchObject({ status: 403, body: { data: [] } })
    const seen = { path: `/api/trash/${batchId}`, params: { batchId }, headers: blind }
    expect((await call(deps, look, seen)).status).toBe(403)
    expect((await call(deps, list, { path: '/api/trash', headers: blind })).body.data).toEqual([])
  },
)
