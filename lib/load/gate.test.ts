import { describe, expect, test } from 'vitest'
import { Gate } from './gate'

const gate = (options: Partial<ConstructorParameters<typeof Gate>[0]> = {}) =>
  new Gate({
    ...{ name: 'test', slots: 2, slotsOfOwner: 2, maxWaiting: 2, waitMs: 60_000, retryAfterS: 1 },
    ...{ what: 'searches', ...options },
  })

/** `waiting` until it is asked again after everything due has run. */
async function stateOf(promise: Promise<unknown>): Promise<string> {
  let state = 'waiting'
  promise.then(
    () => {
      state = 'entered'
    },
    (error: Error) => {
      state = error.message
    },
  )
  await new Promise(setImmediate)
  return state
}

describe('a gate', () => {
  test('lets so many in, and the next one when one leaves', async () => {
    const one = gate()
    const leave = await one.enter('ann')
    await one.enter('ann')
    const third = one.enter('bob')
    expect(await stateOf(third)).toBe('waiting')
    leave()
    leave()
    expect(await stateOf(third)).toBe('entered')
    expect(await stateOf(one.enter('bob'))).toBe('waiting')
  })

  test('keeps slots for others when one owner wants them all', async () => {
    const one = gate({ slotsOfOwner: 1 })
    const leave = await one.enter('ann')
    const second = one.enter('ann')
    expect(await stateOf(second)).toBe('waiting')
    expect(await stateOf(one.enter('bob'))).toBe('entered')
    leave()
    expect(await stateOf(second)).toBe('entered')
  })

  test('lets one owner have all slots but a spare one, and less once others come', async () => {
    const one = gate({ slots: 4, slotsOfOwner: 2, spare: 1, maxWaiting: 9 })
    const leaves = [await one.enter('ann'), await one.enter('ann'), await one.enter('ann')]
    const ann = one.enter('ann')
    expect(await stateOf(ann)).toBe('waiting')
    expect(await stateOf(one.enter('bob'))).toBe('entered')
    const bob = one.enter('bob')
    expect(await stateOf(bob)).toBe('waiting')
    leaves[0]?.()
    expect([await stateOf(ann), await stateOf(bob)]).toEqual(['waiting', 'entered'])
    const eve = one.enter('eve')
    leaves[1]?.()
    expect([await stateOf(ann), await stateOf(eve)]).toEqual(['entered', 'waiting'])
    leaves[2]?.()
    expect(await stateOf(eve)).toBe('entered')
  })

  test('never lets one of many without a name have more than a share', async () => {
    const one = gate({ slots: 4, slotsOfOwner: 2, spare: 1, maxWaiting: 20 })
    await one.enter('guest', undefined, false)
    await one.enter('guest', undefined, false)
    expect(await stateOf(one.enter('guest', undefined, false))).toBe('waiting')
    expect(await stateOf(one.enter('ann'))).toBe('entered')
  })

  test('lets an owner with a free slot pass one without', async () => {
    const one = gate({ slotsOfOwner: 1 })
    await one.enter('ann')
    const leave = await one.enter('bob')
    const ann = one.enter('ann')
    const eve = one.enter('eve')
    leave()
    expect(await stateOf(ann)).toBe('waiting')
    expect(await stateOf(eve)).toBe('entered')
  })

  test('refuses who would wait behind too many, and who has waited too long', async () => {
    const one = gate({ slots: 1, maxWaiting: 1, waitMs: 1 })
    await one.enter('ann')
    const waiting = one.enter('ann')
    await expect(one.enter('ann')).rejects.toMatchObject({
      code: 'unavailable',
      message: 'Too many searches are running; try again in a moment',
      options: { retryAfter: 1 },
    })
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('asks what ends waiting only where there is something to wait for', async () => {
    const one = gate({ slots: 1 })
    let asked = 0
    let left: Error | null = null
    const stop = () => {
      asked++
      return left
    }
    const leave = await one.enter('ann', stop)
    expect(asked).toBe(0)
    const waiting = one.enter('bob', stop)
    expect(await stateOf(waiting)).toBe('waiting')
    left = new Error('The client left')
    await expect(waiting).rejects.toThrow('The client left')
    await expect(one.enter('bob', stop)).rejects.toThrow('The client left')
    leave()
    expect(await stateOf(one.enter('bob'))).toBe('entered')
  })

  test('passes over who has left when a slot is free', async () => {
    const one = gate({ slots: 1 })
    const leave = await one.enter('ann')
    let left: Error | null = null
    const bob = one.enter('bob', () => left)
    const eve = one.enter('eve', () => null)
    left = new Error('The client left')
    leave()
    expect([await stateOf(bob), await stateOf(eve)]).toEqual(['The client left', 'entered'])
  })

  test('forgets who leaves the queue', async () => {
    const one = gate({ slots: 1 })
    const leave = await one.enter('ann')
    const left = new AbortController()
    const waiting = one.enter('ann', left.signal)
    left.abort(new Error('The client left'))
    await expect(waiting).rejects.toThrow('The client left')
    leave()
    expect(await stateOf(one.enter('bob'))).toBe('entered')
  })
})
