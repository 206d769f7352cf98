import { type Call, type Case, send } from './cases'
import { PEOPLE, person } from './people'
import { randomInteger } from './random'

const MEMBER = '/api/entities/Member'
const BATCH = 500
const DELETED = 10_000

export const createMember = (n: number) => ({
  engine: send('POST', MEMBER, person(PEOPLE + n)),
  bare: send('POST', '/create', person(PEOPLE + n)),
})

export function updateMember(n: number) {
  const id = 1 + randomInteger(n, PEOPLE)
  const change = { age: n % 90, active: n % 2 === 0 }
  return {
    engine: send('PATCH', `${MEMBER}/${id}`, change),
    bare: send('PATCH', `/update?id=${id}`, change),
  }
}

export const writeCases: Case[] = [
  {
    name: 'create',
    title: 'create a record',
    call: createMember,
    writes: true,
    equal: 'created',
  },
  {
    name: 'update',
    title: 'update a record',
    call: updateMember,
    writes: true,
    equal: 'records',
  },
  {
    name: 'batch',
    title: `create ${BATCH} records`,
    call: (n) => batches[n % batches.length] ?? batchOf(n),
    writes: true,
    equal: 'created',
  },
]

function batchOf(n: number) {
  const records = Array.from({ length: BATCH }, (_, index) => person(n * BATCH + index))
  return { engine: send('POST', `${MEMBER}/batch`, records), bare: send('POST', '/batch', records) }
}

/** Made before the measurement, since writing them takes as long as inserting the records. */
const batches = [0, 1, 2, 3, 4, 5, 6, 7].map(batchOf)

/** Each round deletes other records; later rounds find fewer in the table, on both sides. */
export const deletion: Case = {
  name: 'delete-10k',
  title: 'delete 10,000 records by a condition',
  call: (n) => deleteIds(1 + n * DELETED, (n + 1) * DELETED),
  little: (n) => deleteIds(PEOPLE - n, PEOPLE - n),
  equal: 'records',
  isSingle: true,
  writes: true,
}

/** More than a round deletes. */
const DELETABLE = 20_000
/** The last id that was given to a record to delete. */
let lastDeleted = 10_000_000

/** Deletes records one by one; `add` makes records with the ids of a range in both tables. */
export const deletions = (add: (from: number, to: number) => Promise<void>): Case => {
  let next = 0
  return {
    name: 'delete',
    title: 'delete a record',
    call: () => {
      const id = next++
      return {
        engine: { method: 'DELETE', path: `${MEMBER}/${id}` },
        bare: { method: 'DELETE', path: `/delete?id=${id}` },
      }
    },
    equal: 'records',
    writes: true,
    prepare: async () => {
      next = lastDeleted + 1
      lastDeleted += DELETABLE
      await add(next, lastDeleted)
    },
  }
}

function deleteIds(from: number, to: number) {
  const query = [{ field: 'id', operator: 'between', value: [from, to] }]
  return {
    engine: send('DELETE', `${MEMBER}/batch`, { entity: 'Member', query }),
    bare: send('DELETE', '/delete-many', { from, to }),
  }
}

/** All people as CSV. */
export const exporting: Case = {
  name: 'export',
  title: 'export 100,000 records as CSV',
  call: () => ({
    engine: send('POST', '/api/entities/Person/export?format=csv', {
      fields: ['id', 'name', 'email', 'age', 'score', 'city'],
    }),
    bare: { method: 'GET', path: '/export' },
  }),
  equal: 'text',
  isSingle: true,
}

export async function archiveUpload(zip: Uint8Array): Promise<Call> {
  const form = new FormData()
  form.set('file', new Blob([zip as BlobPart]), 'bench.zip')
  const encoded = new Response(form)
  return {
    method: 'POST',
    path: '/api/plugins/install/zip',
    type: encoded.headers.get('content-type') ?? '',
    body: new Uint8Array(await encoded.arrayBuffer()),
  }
}
