import { expect, test } from 'vitest'
import { createQueue, type Queued } from './create-queue'

type Item = Queued<'check' | 'send'> & { sent: number; result?: string }

const item = (id: string): Item => ({ id, step: 'check', state: 'ready', sent: 0 })

/** A queue whose steps end when the test says so. */
function makeQueue(checksAtOnce: number) {
  const runs: { id: string; signal: AbortSignal; end: (result: string | Error) => void }[] = []
  const removed: string[] = []
  const work = (
    { id }: Item,
    { signal, change }: { signal: AbortSignal; change: (part: Partial<Item>) => void },
  ) =>
    new Promise<Partial<Item>>((resolve, reject) => {
      change({ sent: 1 })
      signal.addEventListener('abort', () => reject(signal.reason))
      runs.push({
        id,
        signal,
        end: (result) => (result instanceof Error ? reject(result) : resolve({ result })),
      })
    })
  const queue = createQueue<'check' | 'send', Item>({
    steps: {
      check: { concurrency: checksAtOnce, run: work },
      send: { concurrency: Number.POSITIVE_INFINITY, run: work },
    },
    onRemove: ({ id }) => removed.push(id),
  })
  const states = () => queue.items().map(({ id, step, state }) => `${id} ${step} ${state}`)
  return { queue, runs, removed, states }
}

test('no more items run than a step allows; the next one starts when one has ended', async () => {
  const { queue, runs, states } = makeQueue(2)
  queue.add(['a', 'b', 'c'].map(item))
  const [first] = ['a', 'b', 'c'].map((id) => queue.start(id, 'check'))
  await expect.poll(states).toEqual(['a check running', 'b check running', 'c check waiting'])
  runs[0]?.end('fine')
  await first
  await expect.poll(states).toEqual(['a check done', 'b check running', 'c check running'])
  expect(queue.items()[0]).toMatchObject({ sent: 1, result: 'fine' })
})

test('steps do not wait for each other', async () => {
  const { queue, states } = makeQueue(1)
  queue.add(['a', 'b'].map(item))
  void queue.start('a', 'check')
  void queue.start('b', 'send')
  await expect.poll(states).toEqual(['a check running', 'b send running'])
})

test('an item that failed keeps the reason until it is started again', async () => {
  const { queue, runs, states } = makeQueue(1)
  queue.add([item('a')])
  const attempt = queue.start('a', 'check')
  await expect.poll(() => runs).toHaveLength(1)
  runs[0]?.end(new Error('The server is full'))
  await attempt
  expect(queue.items()[0]).toMatchObject({ state: 'failed', error: 'The server is full' })
  const again = queue.start('a', 'check')
  expect(queue.items()[0]?.error).toBeUndefined()
  await expect.poll(() => runs).toHaveLength(2)
  runs[1]?.end('fine')
  await again
  expect(states()).toEqual(['a check done'])
})

test('starting a busy item does nothing', async () => {
  const { queue, runs, states } = makeQueue(1)
  queue.add(['a', 'b'].map(item))
  void queue.start('a', 'check')
  void queue.start('b', 'check')
  await queue.start('b', 'send')
  await queue.start('a', 'send')
  await expect.poll(states).toEqual(['a check running', 'b check waiting'])
  expect(runs).toHaveLength(1)
})

test('removing an item stops its work and makes room for the next', async () => {
  const { queue, runs, removed, states } = makeQueue(1)
  queue.add(['a', 'b', 'c'].map(item))
  for (const id of ['a', 'b', 'c']) void queue.start(id, 'check')
  await expect.poll(() => runs).toHaveLength(1)
  queue.remove('b')
  queue.remove('a')
  queue.remove('a')
  await expect.poll(states).toEqual(['c check running'])
  expect(runs.map(({ id, signal }) => [id, signal.aborted])).toEqual([
    ['a', true],
    ['c', false],
  ])
  expect(removed).toEqual(['b', 'a'])
})
