// @vitest-environment happy-dom
import { act, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ViewerProvider } from '@/components/shell/viewer'
import { DraftNotice } from './draft-notice'
import { readDraft } from './stored-drafts'
import { leave, losesOnPage, useQuestion } from './unsaved'
import { useDraft } from './use-draft'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const viewer = { userId: 'ann', email: 'ann@example.com', roles: [], policies: [] }
const STORED = 'as stored'

/** A form of one text. */
function Note({ version }: { version: string }) {
  const [text, setText] = useState(STORED)
  const input = useDraft({
    form: 'note',
    what: 'The note is not saved yet.',
    values: text === STORED ? null : { text },
    version,
    restore: (kept) => setText(kept.text),
    reset: () => setText(STORED),
  })
  return (
    <>
      <DraftNotice restored={input.restored} />
      <output>{text}</output>
      <button type="button" id="type" onClick={() => setText('typed')} />
      <button type="button" id="undo" onClick={() => setText(STORED)} />
      <button type="button" id="save" onClick={input.settle} />
    </>
  )
}

let close = () => {}
beforeEach(() => localStorage.clear())
afterEach(() => close())

function open(version = '1') {
  const box = document.createElement('div')
  document.body.replaceChildren(box)
  const root = createRoot(box)
  act(() =>
    root.render(
      <ViewerProvider viewer={viewer}>
        <Note version={version} />
      </ViewerProvider>,
    ),
  )
  close = () => act(() => root.unmount())
  const press = (selector: string) => act(() => box.querySelector<HTMLElement>(selector)?.click())
  return { box, press, shown: () => box.querySelector('output')?.textContent }
}

const draft = () => readDraft({ userId: 'ann', form: 'note' })?.values

test('a form that goes without being saved opens with what was typed', () => {
  open().press('#type')
  expect(losesOnPage()).toBe(true)
  close()
  expect(losesOnPage()).toBe(false)
  const { box, shown } = open()
  expect(shown()).toBe('typed')
  expect(box.textContent).toContain('Draft from a moment ago restored')
  expect(box.textContent).not.toContain('has changed since')
})

test('it says when the stored object is another one than the draft was made of', () => {
  open('1').press('#type')
  close()
  expect(open('2').box.textContent).toContain('What is stored has changed since.')
})

test('what was saved leaves no draft', () => {
  const { press } = open()
  press('#type')
  press('#save')
  expect(losesOnPage()).toBe(false)
  close()
  expect(draft()).toBeUndefined()
})

test('what was typed back to what is stored leaves no draft', () => {
  open().press('#type')
  close()
  open().press('#undo')
  expect([losesOnPage(), draft()]).toEqual([false, undefined])
})

test('a discarded draft is gone, and the form shows what is stored', () => {
  open().press('#type')
  close()
  const { press, shown } = open()
  press('[role=status] button')
  expect([shown(), draft(), losesOnPage()]).toEqual([STORED, undefined, false])
  press('#type')
  expect(losesOnPage()).toBe(true)
})

test('leaving after the question discards the draft too', () => {
  const { press, shown } = open()
  press('#type')
  leave(() => {})
  act(() => useQuestion.getState().asked?.onDiscard())
  expect(shown()).toBe(STORED)
  close()
  expect(draft()).toBeUndefined()
})
