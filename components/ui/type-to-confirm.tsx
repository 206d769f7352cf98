'use client'
import { useId } from 'react'
import { Input } from './input'

type Props = { word: string; value: string; onChange: (value: string) => void }

/** Asks for a word before an action that concerns much. */
export function TypeToConfirm({ word, value, onChange }: Props) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-[13px]">
        Type <strong className="font-mono font-medium">{word}</strong> to confirm
      </label>
      <Input
        id={id}
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
