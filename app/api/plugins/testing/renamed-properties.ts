import { integer, text, version } from './versions'

const records = [
  { id: 1, company: 'a', n: 1 },
  { id: 2, company: 'b', n: 2 },
]
export const v1 = () =>
  version({
    properties: [
      text('company', {
        unique: true,
        indexed: true,
        searchable: { weight: 'B', language: 'english' },
      }),
      integer('n'),
    ],
    entity: { indexes: [{ fields: ['company', 'n'] }] },
    records,
  })
export const organisation = (meta: object = {}) =>
  text('organisation', {
    unique: true,
    indexed: true,
    searchable: { weight: 'B', language: 'english' },
    renamedFrom: 'company',
    ...meta,
  })
export const v2 = (property: object = organisation(), others: object = {}) =>
  version({
    properties: [property, integer('n')],
    entity: { indexes: [{ fields: ['organisation', 'n'] }] },
    ...others,
  })

export const renamed = [
  { id: 1, organisation: 'a', n: 1 },
  { id: 2, organisation: 'b', n: 2 },
]
