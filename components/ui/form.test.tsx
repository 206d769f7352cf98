// @vitest-environment happy-dom
import { act, useState } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ApiError } from '@/lib/http/client'
import { Form, type FormError } from './form'
import { FormField } from './form-field'
import { Input } from './input'
import { TagInput } from './tag-input'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const refusal = (...fields: string[]) =>
  new ApiError(
    400,
    'The user is not valid',
    fields.map((field) => ({ field, error: `Wrong ${field}` })),
  )

/** A form of two fields; each attempt is refused with the next of `refusals`. */
function Account({ refusals, sent }: { refusals: FormError[]; sent: unknown[] }) {
  const [error, setError] = useState<FormError | null>(null)
  return (
    <Form
      error={error}
      fields={['email', 'roles']}
      onSubmit={(form) => {
        sent.push(Object.fromEntries(new FormData(form)))
        setError(refusals[sent.length - 1] ?? null)
      }}
    >
      <FormField name="email" label="Email" hint="Of the person">
        <Input />
      </FormField>
      <FormField name="roles" label="Roles">
        <TagInput value={['A']} onValueChange={() => {}} />
      </FormField>
      <button type="submit">Create</button>
    </Form>
  )
}

function show(...refusals: FormError[]) {
  const sent: unknown[] = []
  const box = document.createElement('div')
  document.body.replaceChildren(box)
  act(() => createRoot(box).render(<Account {...{ refusals, sent }} />))
  return { box, sent, submit: () => submit(box) }
}

const submit = (box: HTMLElement) =>
  act(() => {
    const event = new Event('submit', { bubbles: true, cancelable: true })
    box.querySelector('form')?.dispatchEvent(event)
  })

/** The texts that describe a control to a screen reader. */
const descriptionOf = (control: Element | null) =>
  control
    ?.getAttribute('aria-describedby')
    ?.split(' ')
    .map((id) => document.getElementById(id)?.textContent)

const email = (box: HTMLElement) => box.querySelector<HTMLInputElement>('input[name=email]')

test('an error of a field is shown at it and describes it, and the field gets the focus', () => {
  const { box, submit } = show(refusal('email'))
  submit()
  expect(email(box)?.getAttribute('aria-invalid')).toBe('true')
  expect(descriptionOf(email(box))).toEqual(['Of the person', 'Wrong email'])
  expect(document.activeElement).toBe(email(box))
  expect(box.querySelector('[role=alert]')).toBeNull()
})

test('of several fields with errors the first gets the focus, on every attempt', () => {
  const { box, submit } = show(refusal('roles.0', 'email'), refusal('roles.0'))
  submit()
  expect(document.activeElement).toBe(email(box))
  submit()
  expect(email(box)?.hasAttribute('aria-invalid')).toBe(false)
  expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true')
  expect(descriptionOf(document.activeElement)).toEqual(['Wrong roles.0'])
})

test('an error of no field is shown above the fields', () => {
  const { box, submit } = show(refusal('owner'))
  submit()
  expect(box.querySelector('[role=alert]')?.textContent).toBe('The user is not valid')
  expect(box.querySelector('[aria-invalid]')).toBeNull()
})

test('the error of a field goes when it is changed, and comes back when it is refused again', () => {
  const { box, submit } = show(refusal('email', 'roles.0'), refusal('email'))
  submit()
  const input = email(box)
  act(() => {
    if (input) input.value = 'ann'
    input?.dispatchEvent(new Event('input', { bubbles: true }))
  })
  expect(descriptionOf(input)).toEqual(['Of the person'])
  expect(box.textContent).toContain('Wrong roles.0')
  act(() => box.querySelector<HTMLElement>('button[aria-label="Remove A"]')?.click())
  expect(box.textContent).not.toContain('Wrong')
  expect(box.querySelector('[role=alert]')).toBeNull()
  submit()
  expect(box.textContent).toContain('Wrong email')
})

test('a form can be sent again as it is, and its errors go when it succeeds', () => {
  const { box, sent, submit } = show(refusal('email'))
  submit()
  submit()
  expect(sent).toHaveLength(2)
  expect(box.querySelector('[aria-invalid]')).toBeNull()
})

test('what a browser filled in before the script had loaded is sent', async () => {
  const sent: unknown[] = []
  const form = <Account refusals={[]} sent={sent} />
  const box = document.createElement('div')
  document.body.replaceChildren(box)
  box.innerHTML = renderToString(form)
  const input = email(box)
  if (input) input.value = 'ann@example.com'
  await act(async () => void hydrateRoot(box, form))
  submit(box)
  expect(sent).toMatchObject([{ email: 'ann@example.com' }])
})
