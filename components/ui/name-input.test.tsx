// @vitest-environment happy-dom
import { act, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { NameInput } from './input'
import { TagInput } from './tag-input'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

/** A form with `control`, and what is typed into it. */
function typed(text: string) {
  const sent: string[] = []
  function Form() {
    const [name, setName] = useState('')
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault()
          sent.push(name)
        }}
      >
        <NameInput aria-label="Name" value={name} onValueChange={setName} />
      </form>
    )
  }
  const box = document.createElement('div')
  document.body.replaceChildren(box)
  act(() => createRoot(box).render(<Form />))
  const input = box.querySelector('input') as HTMLInputElement
  enter(input, text)
  return { input, sent, form: box.querySelector('form') as HTMLFormElement }
}

function enter(input: HTMLInputElement, text: string): void {
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  act(() => {
    set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

const press = (input: HTMLElement, key: string) =>
  act(() => void input.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })))

test('outer spaces of a name stay while it is typed, and go when the field is left', () => {
  const { input } = typed('  My ')
  expect(input.value).toBe('  My ')
  act(() => void input.dispatchEvent(new FocusEvent('focusout', { bubbles: true })))
  expect(input.value).toBe('My')
})

test('a name that is sent with Enter has no outer spaces', () => {
  const { input, sent, form } = typed(' My key ')
  press(input, 'Enter')
  act(() => void form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })))
  expect([input.value, sent]).toEqual(['My key', ['My key']])
})

test('roles and tags are shown as they will be sent', () => {
  let tags: string[] = []
  const box = document.createElement('div')
  document.body.replaceChildren(box)
  const onChange = (next: string[]) => {
    tags = next
  }
  act(() =>
    createRoot(box).render(<TagInput aria-label="Tags" value={[]} onValueChange={onChange} />),
  )
  const input = box.querySelector('input') as HTMLInputElement
  enter(input, ' red ')
  press(input, 'Enter')
  expect(tags).toEqual(['red'])
})
