import fc from 'fast-check'
import { GET } from '@/app/api/entities/[entityName]/route'
import { POST } from '@/app/api/entities/[entityName]/search/route'
import {
  condition,
  kinds,
  paging,
  sorting,
} from '@/app/api/entities/[entityName]/search/testing/random-searches'
import { deps, headers, params } from '@/app/api/entities/[entityName]/search/testing/things'
import { validateArchive } from '@/lib/archives/validate-archive'
import { OPERATOR_NAMES } from '@/lib/definitions/operators'
import { AppError } from '@/lib/errors'
import { archiveOf } from '@/lib/testing/archive'
import { mutated } from '@/lib/testing/fuzz/mutations'
import { refusalOf } from '@/lib/testing/fuzz/refusal'
import type { Target } from '@/lib/testing/fuzz/saved-seeds'
import { randomVersions } from '@/lib/testing/random-plugin'
import { call } from '@/lib/testing/request'
import type { Json } from '@/lib/values/json'

const FIELDS = Object.keys(kinds)
const FUNCTIONS = ['COUNT', 'SUM', 'AVG', 'MIN', 'MAX']

const aggregate = fc.record(
  {
    function: fc.constantFrom(...FUNCTIONS),
    field: fc.constantFrom(...FIELDS),
    alias: fc.constantFrom('n', 'count', 'sum_age', 'a b'),
  },
  { requiredKeys: ['function'] },
)

const body = fc.record(
  {
    query: fc.array(condition, { maxLength: 3 }),
    sort: sorting,
    pagination: paging,
    fields: fc.subarray(FIELDS, { maxLength: 4 }),
    count: fc.constantFrom('exact', 'estimated', 'none'),
    expand: fc.constant([]),
    groupBy: fc.record(
      {
        fields: fc.subarray(FIELDS, { maxLength: 2 }),
        aggregate: fc.array(aggregate, { minLength: 1, maxLength: 3 }),
      },
      { requiredKeys: ['aggregate'] },
    ),
  },
  { requiredKeys: [] },
)

const token = fc.oneof(
  fc.constantFrom(...FIELDS, ...OPERATOR_NAMES),
  fc.constantFrom(':', ':', ':', ',', '|', '"', '\\', ' ', '.', '(', ')', '$', '\u0000', 'null'),
  fc.constantFrom('1', '-2', '1e9', '2024-01-01', '$now(-7d)', '$me', '%', 'true', 'x'),
)
/** Conditions, orders and names in the form of addresses, sound ones among them. */
const text = fc.oneof(
  fc.array(token, { maxLength: 16 }).map((tokens) => tokens.join('')),
  fc
    .array(fc.tuple(fc.constantFrom(...FIELDS), fc.constantFrom(...OPERATOR_NAMES), token), {
      maxLength: 3,
    })
    .map((conditions) => conditions.map((parts) => parts.join(':')).join()),
)
/** One name that is not sound refuses the whole address, so most are. */
const sound = (value: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: text })
const list = (names: fc.Arbitrary<string>, maxLength: number) =>
  fc.uniqueArray(names, { minLength: 1, maxLength }).map((chosen) => chosen.join())
const query = fc.record(
  {
    filter: text,
    sort: sound(
      list(
        fc
          .tuple(fc.constantFrom(...FIELDS), fc.constantFrom('', ':asc', ':desc'))
          .map((parts) => parts.join('')),
        2,
      ),
    ),
    fields: sound(list(fc.constantFrom(...FIELDS), 4)),
    cursor: text,
    expand: text,
    page: sound(fc.constantFrom('0', '1', '2')),
    size: sound(fc.constantFrom('1', '20', '100')),
  },
  { requiredKeys: ['filter'] },
)

/** Every search is answered, with records or with what is wrong with it. */
const faultOfAnswer = ({ status, text: said }: { status: number; text: string }) =>
  status === 200 || status === 400 ? undefined : `${status} ${said.slice(0, 300)}`

export const SEARCHES: Target<Json> = {
  name: 'search',
  input: mutated(body.map((json) => json as Json)),
  faultOf: async (input) => {
    const path = '/api/entities/Thing/search'
    return faultOfAnswer(
      await call(deps, POST, { method: 'POST', path, params, headers, body: input }),
    )
  },
}

export const ADDRESSES: Target<Record<string, string>> = {
  name: 'filter',
  input: query,
  faultOf: async (input) => {
    const path = `/api/entities/Thing?${new URLSearchParams(input)}`
    return faultOfAnswer(await call(deps, GET, { path, params, headers }))
  },
}

/** A plugin with definitions and records of any kind is validated, or refused as a whole. */
export const DEFINITIONS: Target<Json> = {
  name: 'definitions',
  input: mutated(randomVersions.map(([files]) => files as Json)),
  faultOf: async (files) => {
    const zip = await archiveOf({ ...Object(files) })
    const outcome = await validateArchive(zip, deps.settings).catch(refusalOf)
    if (outcome instanceof AppError) return undefined
    const isInvalid = outcome.files.some(({ status }) => status === 'invalid')
    return outcome.valid === isInvalid ? 'valid is not what its files say' : undefined
  },
}
