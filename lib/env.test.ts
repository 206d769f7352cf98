import { expect, test } from 'vitest'
import { parseEnv } from './env'

const POOLER = 'postgres://engine:canary@pooler:6432/engine'
const SERVER = 'postgres://engine:canary@server:5432/engine'

test('a direct address needs the one that it goes with', () => {
  expect(() => parseEnv({ DATABASE_DIRECT_URL: SERVER })).toThrow(
    'Invalid environment. DATABASE_DIRECT_URL: needs DATABASE_URL, too',
  )
  expect(() => parseEnv({ DATABASE_DIRECT_URL: SERVER, DATABASE_URL: '' })).toThrow('needs')
  const both = { DATABASE_DIRECT_URL: SERVER, DATABASE_URL: POOLER }
  expect(parseEnv(both)).toMatchObject(both)
})

test('addresses of replicas are a list, of replicas of something', () => {
  const both = { DATABASE_URL: SERVER, DATABASE_REPLICA_URLS: ` ${POOLER} , ${SERVER},` }
  expect(parseEnv(both).DATABASE_REPLICA_URLS).toEqual([POOLER, SERVER])
  expect(parseEnv({}).DATABASE_REPLICA_URLS).toEqual([])
  const wrong = (DATABASE_REPLICA_URLS: string) => () =>
    parseEnv({ DATABASE_URL: SERVER, DATABASE_REPLICA_URLS })
  expect(wrong('mysql://canary@db/engine')).toThrow(/DATABASE_REPLICA_URLS/)
  expect(wrong('canary')).not.toThrow(/canary/)
  expect(() => parseEnv({ DATABASE_REPLICA_URLS: POOLER })).toThrow('needs DATABASE_URL, too')
})

test('every variable that is wrong is named, and no value is shown', () => {
  const wrong = () => parseEnv({ PORT: 'canary', DATABASE_URL: 'mysql://canary@db/engine' })
  expect(wrong).toThrow(/PORT: .*DATABASE_URL: /)
  expect(wrong).not.toThrow(/canary/)
})
