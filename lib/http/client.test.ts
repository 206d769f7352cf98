import { describe, expect, it } from 'vitest'
import { failure, withQuery } from './client'

describe('withQuery', () => {
  it('leaves out what is empty and escapes the rest', () => {
    expect(withQuery('/api/users', { page: 0, sort: '', filter: 'a:eq:b&c', x: null })).toBe(
      '/api/users?page=0&filter=a%3Aeq%3Ab%26c',
    )
  })

  it('adds to a query that is there', () => {
    expect(withQuery('/api/users?page=1', { size: 2 })).toBe('/api/users?page=1&size=2')
  })
})

describe('failure', () => {
  it('finds the fault of a field, also below it', () => {
    const validations = [{ field: 'profile.name', error: 'Too long' }]
    const error = failure(400, { error: 'profile.name: Too long', validations }, 'r-1')
    expect(error.errorOf('profile')).toBe('Too long')
    expect(error.errorOf('pro')).toBeUndefined()
    expect(error.requestId).toBe('r-1')
  })

  it('says so when the server gave no reason', () => {
    expect(failure(502, undefined, null).message).toContain('502')
  })
})
