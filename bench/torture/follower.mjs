// A process that copies the records of an entity by an export and follows their changes, by HTTP alone, as docs/events.md says: it polls and listens to the
// stream in turn, and moves to the next instance when one is away, and now and then without need. A line `end` on its input: it ends once
// it has waited for changes in vain, and writes what it holds.
import { createInterface } from 'node:readline'

const { urls, entity, key } = JSON.parse(process.argv[2])
const headers = { authorization: key }
const copy = new Map()
const seen = new Set()
const counts = { changes: 0, repeated: 0, outOfOrder: 0, moves: 0, streams: 0, faults: [] }
let at = 0
let cursor = ''
let isEnding = false
let settledAt = Number.POSITIVE_INFINITY
createInterface({ input: process.stdin }).on('line', () => {
  isEnding = true
})

/** Throws for an answer that is none of a server that stops or starts. */
const refuse = (status, text) => {
  throw Object.assign(new Error(`${status}: ${text}`), { isFatal: status < 500 })
}
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const ask = (path, more = {}) => {
  const { accept, signal = AbortSignal.timeout(30_000), ...rest } = more
  const sent = {
    ...headers,
    ...(accept && { accept }),
    ...(rest.body && { 'content-type': 'application/json' }),
  }
  return fetch(`${urls[at % urls.length]}/api/entities/${entity}${path}`, {
    ...rest,
    headers: sent,
    signal,
  })
}

async function copyAll() {
  const response = await ask('/export?format=json', { method: 'POST', body: '{}' })
  const text = await response.text()
  if (!response.ok) refuse(response.status, text)
  cursor = response.headers.get('x-engine-changes-cursor')
  if (!cursor) throw Object.assign(new Error('An export without a cursor'), { isFatal: true })
  const found = JSON.parse(text)
  for (const record of found.data ?? found) copy.set(String(record.id), record)
  settledAt = performance.now() + 10_000
}

function apply(change) {
  counts.changes++
  if (seen.has(change.cursor)) counts.repeated++
  seen.add(change.cursor)
  const held = copy.get(change.key)
  // What the copy had already is told once more at first.
  if (performance.now() > settledAt && !equal(held, change.before)) {
    counts.outOfOrder++
    if (counts.faults.length < 5) counts.faults.push(JSON.stringify({ held: held ?? null, change }))
  }
  if (change.after) copy.set(change.key, change.after)
  else copy.delete(change.key)
  cursor = change.cursor
}

const equal = (held, before) =>
  JSON.stringify(sorted(held ?? null)) === JSON.stringify(sorted(before))
const sorted = (record) =>
  record &&
  Object.entries(record)
    .filter(([name]) => name !== 'persistenceId')
    .sort()

/** Returns whether there was nothing. */
async function poll() {
  const response = await ask(`/changes?since=${cursor}&wait=3&many=records&limit=200`)
  const body = await response.json()
  if (!response.ok) refuse(response.status, JSON.stringify(body))
  for (const change of body.data) apply(change)
  cursor = body.meta.cursor
  return body.data.length === 0
}

/** For some seconds. */
async function listen() {
  counts.streams++
  const signal = AbortSignal.timeout(2_000)
  const response = await ask(`/changes?since=${cursor}&many=records&limit=200`, {
    accept: 'text/event-stream',
    signal,
  })
  if (!response.ok) refuse(response.status, await response.text())
  let text = ''
  try {
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + part).split('\n\n')
      text = blocks.pop()
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (/^event: change$/m.test(block)) apply(JSON.parse(data))
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

for (let round = 0, isDone = false; !isDone; round++) {
  try {
    if (!cursor) await copyAll()
    if (round % 20 === 19) {
      at++
      counts.moves++
    }
    if (round % 5 === 4) await listen()
    else isDone = (await poll()) && isEnding
  } catch (error) {
    if (error.isFatal) throw error // all else is an instance that is killed
    at++
    counts.moves++
    await pause(100)
  }
}
process.stdout.write(JSON.stringify({ ...counts, records: [...copy] }))
