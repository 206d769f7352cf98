import { expect, test } from 'vitest'
import { createKeyBody } from '@/lib/api-keys/contract'
import { ApiError } from '@/lib/http/client'
import { withoutScopes } from './create-key-dialog'

test('a key without a right is refused in the words of the form, its name in those of the API', () => {
  const { error } = createKeyBody.safeParse({ name: '', scopes: [] })
  const validations = (error?.issues ?? []).map(({ path, message }) => ({
    field: path.join('.'),
    error: message,
  }))
  const refusal = withoutScopes(new ApiError(400, 'Invalid', validations as never))
  expect(refusal?.errorOf?.('scopes')).toBe('Select at least one right, or give the key all rights')
  expect(refusal?.errorOf?.('name')).toBe('The key needs a name')
})

test('another refusal stays as it is', () => {
  const taken = new ApiError(409, 'Too many keys')
  expect(withoutScopes(taken)).toBe(taken)
  expect(withoutScopes(null)).toBeNull()
})
