import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useHandler } from '@/components/ui/use-handler'
import type { FieldReference } from '@/lib/definitions/definition'
import { plainText } from '@/lib/values/exact-json'
import { findMeant } from './find-meant'
import type { EntityRecord } from './types'

type Options = {
  reference: FieldReference
  value: string
  /** Gets the record that was chosen, or one of those that can be meant, which all have its value. */
  onChoose: (record: EntityRecord, isOnly: boolean) => void
  /** What is typed may mean several. */
  onAsk: () => void
  /** Enter takes what is typed and leaves the form alone. */
  isListed: boolean
}

/**
 * What is typed into the control of a reference, until it is known which record is meant: leaving it, Enter and sending the
 * form look for that, and the form waits. `question` tells why nothing was chosen.
 */
export function useTypedReference({ reference, value, onChoose, onAsk, isListed }: Options) {
  const input = useRef<HTMLInputElement>(null)
  const [settled, setSettled] = useState(value)
  const [question, setQuestion] = useState<{ of: string; words: string } | null>(null)
  const isSettled = value === '' || value === settled
  const choose = (record: EntityRecord, isOnly = true) => {
    setSettled(isListed ? '' : plainText(record[reference.field]))
    onChoose(record, isOnly)
  }
  const text = useRef(value)
  useEffect(() => {
    text.current = value
  })
  const decide = async (): Promise<boolean> => {
    const found = await findMeant(reference, value.trim()).catch(() => null)
    // Something else was typed meanwhile.
    if (text.current !== value) return false
    const [first, ...others] = found ?? [{ persistenceId: '', [reference.field]: value }]
    if (first && isOne(first, others, reference)) {
      choose(first, others.length === 0)
      return true
    }
    setQuestion({ of: value, words: questionOf(reference.entity, value, first !== undefined) })
    return false
  }
  const send = useHandler(async (go: () => void) => {
    if (await decide()) return void setTimeout(go)
    input.current?.focus()
    onAsk()
  })
  useWaitingForm(input, isSettled, send)
  return {
    input,
    isSettled,
    question: isSettled || question?.of !== value ? null : question.words,
    choose,
    onBlur: () => {
      if (!isSettled) void decide()
    },
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      const { currentTarget: control, key, ctrlKey, metaKey } = event
      if (key !== 'Enter' || event.defaultPrevented || isSettled || ctrlKey || metaKey) return
      // A highlighted suggestion is chosen by the list itself, and a form waits by itself.
      if (control.getAttribute('aria-activedescendant')) return
      if (control.form && !isListed) return
      event.preventDefault()
      const again = new window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
      void send(() => !isListed && control.dispatchEvent(again))
    },
  }
}

/** Keeps the form of the control from being sent until what is typed there is settled. */
function useWaitingForm(
  input: RefObject<HTMLInputElement | null>,
  isSettled: boolean,
  send: (go: () => void) => void,
): void {
  useEffect(() => {
    const form = input.current?.form
    if (!form || isSettled) return
    const wait = (event: SubmitEvent) => {
      event.preventDefault()
      event.stopImmediatePropagation()
      send(() => form.requestSubmit(event.submitter))
    }
    form.addEventListener('submit', wait, { capture: true })
    return () => form.removeEventListener('submit', wait, { capture: true })
  }, [input, isSettled, send])
}

/** Whether these are one and the same as far as the reference's own field tells. */
const isOne = (first: EntityRecord, others: EntityRecord[], { field }: FieldReference): boolean =>
  others.every((other) => plainText(other[field]) === plainText(first[field]))

const SYSTEM_NAMES: Readonly<Record<string, string>> = {
  EngineFiles: 'images',
  EngineUsers: 'users',
}

/** What people call an entity that is referred to. */
export const referredName = (entity: string): string => SYSTEM_NAMES[entity] ?? entity

const questionOf = (entity: string, text: string, isFound: boolean): string =>
  isFound
    ? `Several in ${referredName(entity)} match: choose one`
    : `Nothing in ${referredName(entity)} matches “${text}”`
