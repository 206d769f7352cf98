import { pluginFiles } from '@/lib/testing/archive'
import type { Files } from './plugin-api'
import { text } from './versions'

/** Two plugins that need each other: members are people, people have a favourite class; grades are a type of the first. */
export const PEOPLE = 'com.example.people'
export const CLASSES = 'com.example.classes'

const UPSERT = { insertDuplicate: 'Upsert' }
const named = (id: string, version: number) => ({ id, name: id, version: `${version}.0.0` })
const counted = (type: string) => [{ key: 'id', strategy: 'AutoIncrement', type }]

const person = (name: string, town: string) => ({ name, mail: `${name}@example.com`, town })
const TOWNS = ['', 'Bonn', 'Bern', 'Bern']

/** Widens its key in its second version; gives one person fewer in its third. */
export function people(version: 1 | 2 | 3): Files {
  const town = TOWNS[version] ?? ''
  const others = version === 3 ? [person('cid', town)] : [person('cid', town), person('dan', town)]
  return pluginFiles(
    {
      EngineTypes: {
        files: { 'Grade.json': { name: 'Grade', baseType: 'string', meta: { maxLength: 2 } } },
      },
      EngineSchemas: {
        files: {
          'Person.json': {
            name: 'Person',
            properties: [
              text('name'),
              text('mail', { unique: true }),
              text('town'),
              text('favourite', { reference: { entity: 'Class', field: 'code' } }),
            ],
          },
        },
      },
      EngineEntities: {
        files: {
          'Person.json': {
            name: 'Person',
            pks: counted(version === 1 ? 'number' : 'string'),
            ...UPSERT,
          },
        },
      },
      Person: {
        files: { 'first.json': [person('ada', town), person('bob', town)], 'second.json': others },
      },
    },
    named(PEOPLE, version),
  )
}

const MEMBER = (personType: string) => ({
  name: 'Member',
  properties: [
    { name: 'person', type: personType, meta: { reference: { entity: 'Person', field: 'id' } } },
    text('class', { reference: { entity: 'Class', field: 'code' } }),
    { name: 'grade', type: 'Grade' },
  ],
})

const member = (key: string | number, grade: string) => ({ person: key, class: 'art', grade })

/** Wants another key of classes in its second version, which stored ones refuse; defines people, too, in its third. */
export function classes(version: 1 | 2 | 3): Files {
  const key = version === 1 ? Number : String
  const grades = version === 1 ? ['A', 'B'] : ['A', 'A']
  return pluginFiles(
    {
      EngineSchemas: { files: { 'Member.json': MEMBER(version === 1 ? 'bigint' : 'string') } },
      EngineEntities: {
        files: {
          'Class.json': {
            name: 'Class',
            pks: [{ key: version === 2 ? 'number' : 'code', strategy: 'Fixed', type: 'string' }],
            ...UPSERT,
          },
          'Member.json': { name: 'Member', ...UPSERT },
          ...(version === 3
            ? {
                'Person.json': {
                  name: 'Person',
                  description: 'Who learns',
                  pks: counted('string'),
                  ...UPSERT,
                },
              }
            : {}),
        },
      },
      Class: {
        files: {
          'data.json': ['art', 'law'].map((code) => ({ code, number: code, room: version })),
        },
      },
      Member: { files: { 'data.json': grades.map((grade, at) => member(key(at + 1), grade)) } },
    },
    named(CLASSES, version),
  )
}
