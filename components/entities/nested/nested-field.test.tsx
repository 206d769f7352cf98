// @vitest-environment happy-dom
import { act, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeEach, expect, test } from 'vitest'
import type { Kind } from '@/lib/kinds/kind'
import { NestedField } from './nested-field'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

let text = ''
let box: HTMLElement
let fromElsewhere: (json: string) => void

function Form({ kind, json }: { kind: Kind; json: string }) {
  const [value, setValue] = useState(json)
  text = value
  fromElsewhere = setValue
  return (
    <NestedField
      kind={kind}
      label="Details"
      title="details: object"
      required={false}
      value={value}
      onChange={setValue}
    />
  )
}

beforeEach(() => {
  box = document.createElement('div')
  document.body.replaceChildren(box)
})

const show = (kind: Kind, json: string) =>
  act(() => createRoot(box).render(<Form kind={kind} json={json} />))
const labelled = (label: string) => box.querySelector<HTMLInputElement>(`[aria-label="${label}"]`)
const press = (name: string) => {
  const found = [...box.querySelectorAll('button')].find(
    (one) => (one.getAttribute('aria-label') ?? one.textContent?.trim()) === name,
  )
  act(() => found?.click())
}

function type(label: string, typed: string): void {
  const input = labelled(label)
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  act(() => {
    set?.call(input, typed)
    input?.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

test('a key is typed, said to be wrong and put right, and stays in its row', () => {
  show('object', '{"a":1}')
  press('Add a key')
  type('Key 2', 'a')
  expect(box.textContent).toContain('This key is used twice')
  expect(() => JSON.parse(text)).toThrow()
  type('Key 2', 'b')
  type('Value of b', '2')
  expect(JSON.parse(text)).toEqual({ a: 1, b: '2' })
  expect(labelled('Key 2')?.value).toBe('b')
})

test('nothing becomes an object by being looked at', () => {
  show('object', '')
  press('Add a key')
  expect(text).toBe('')
  press('Remove key 1')
  expect(text).toBe('')
})

test('it is edited as JSON, and as keys again once it is an object', () => {
  show('json', '{"a":[1]}')
  press('Edit as JSON')
  expect(box.querySelector('textarea')?.value).toBe('{"a":[1]}')
  act(() => fromElsewhere('{"a":'))
  expect(box.textContent).not.toContain('Edit as')
  act(() => fromElsewhere('{"b":true}'))
  expect(labelled('Value of b')?.value).toBe('true')
})

test('a draft from elsewhere that is no object is shown as it is, not as nothing', () => {
  show('object', '{"a":1}')
  act(() => fromElsewhere('{"a":1,a:2}'))
  expect(box.querySelector('textarea')?.value).toBe('{"a":1,a:2}')
})

test.each(['["a","a"]', '["a",1]', '[[1]]'])('the list %s is edited as JSON', (json) => {
  show('array', json)
  expect(box.querySelector('textarea')?.value).toBe(json)
})

test('a list of numbers takes numbers', () => {
  show('array', '[1,9007199254740993]')
  press('Remove 1')
  expect(text.replace(/\s/g, '')).toBe('[9007199254740993]')
})
