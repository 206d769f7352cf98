import { type Case, send } from './cases'
import { install } from './data'
import { peopleArchive, person } from './people'
import { randomInteger } from './random'
import type { Server } from './servers'
import { archiveUpload } from './write-cases'

export const FOLLOWED = '/api/entities/Followed'
const PLAIN = '/api/entities/Plain'
export const RECORDS = 10_000
const BATCH = 500

/** Two entities, alike but that the changes of one are kept. */
export async function installFollowed(engine: Server): Promise<void> {
  const more = { id: 'com.example.followed', followed: ['Followed'] }
  await install(
    engine,
    await archiveUpload(await peopleArchive(['Followed', 'Plain'], RECORDS, more)),
  )
}

/** Against the same writes of an entity that keeps no events. None, and nothing is installed, where none is wanted. */
export async function eventsCases(
  wanted: (name: string) => boolean,
  engine: Server,
): Promise<Case[]> {
  const cases = all.filter(({ name }) => wanted(name))
  if (cases.length > 0) await installFollowed(engine)
  return cases
}

const both = (method: 'POST' | 'PATCH', path: string, body: unknown) => ({
  engine: send(method, `${FOLLOWED}${path}`, body),
  bare: send(method, `${PLAIN}${path}`, body),
})

const updateOf = (n: number) => {
  const change = { age: n % 90, active: n % 2 === 0, score: n }
  return both('PATCH', `/${1 + randomInteger(n, RECORDS)}`, change)
}

const batches = [0, 1, 2, 3, 4, 5, 6, 7].map((n) =>
  both(
    'POST',
    '/batch',
    Array.from({ length: BATCH }, (_, at) => person(n * BATCH + at)),
  ),
)

const all: Case[] = [
  {
    name: 'events-create',
    title: 'create a record whose changes are kept; ratio to one whose are not',
    call: (n) => both('POST', '', person(RECORDS + n)),
    equal: 'created',
    isOwnFloor: true,
  },
  {
    name: 'events-update',
    title: 'update such a record',
    call: updateOf,
    equal: 'status',
    isOwnFloor: true,
  },
  {
    name: 'events-batch',
    title: `create ${BATCH} such records`,
    call: (n) => batches[n % batches.length] ?? updateOf(n),
    equal: 'created',
    isOwnFloor: true,
  },
]
