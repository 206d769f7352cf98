import { describe, expect, test } from 'vitest'
import { type Description, requireOwnAddresses } from './describe'

const server = (address: string): Description => ({
  ...{ version: '1.0.0', snapshot: 1, renumbers: true },
  ...{ address, settings: {}, environment: [] },
})

describe('the addresses of two servers', () => {
  test.each([
    ['http://localhost:3000', 'http://localhost:3000', /Both servers.*Set APP_URL on each/],
    ['https://shop.example', 'https://shop.example', /Both servers/],
    ['http://localhost:3000', 'https://shop.example', /as any machine may.*Set its APP_URL/],
    ['http://127.0.0.1:3000', 'https://shop.example', /as any machine may/],
  ])('%s and %s would mix up records', (source, target, told) => {
    expect(() => requireOwnAddresses(server(source), server(target))).toThrow(told)
  })

  test.each([
    ['http://localhost:3000', 'http://localhost:3001'],
    ['https://staging.example', 'https://shop.example'],
    ['https://staging.example', 'http://localhost:3000'],
  ])('%s and %s are told apart', (source, target) => {
    expect(() => requireOwnAddresses(server(source), server(target))).not.toThrow()
  })

  test('do not matter where no numbers are remembered: from a snapshot, or to an earlier version', () => {
    expect(() => requireOwnAddresses(null, server('http://localhost:3000'))).not.toThrow()
    expect(() => requireOwnAddresses(server('http://localhost:3000'), null)).not.toThrow()
  })
})
