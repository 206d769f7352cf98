import { type FormEvent, type ReactNode, useRef } from 'react'
import { cn } from './cn'
import { Correct, FieldErrors } from './form-field'
import { Notice } from './notice'
import { useCorrections, useFocusOnRefusal } from './use-corrections'
import { useSubmitKey } from './use-submit-key'

/** Why a form was refused; `errorOf` finds the message that belongs to one of its fields. */
export type FormError = { message: string; errorOf?: (field: string) => string | undefined }

type Props = {
  id?: string
  /** Of the last attempt. */
  error: FormError | null
  /** Names of the fields (`FormField`) that show their own errors. */
  fields: readonly string[]
  onSubmit: (form: HTMLFormElement) => void
  /** What helps after an error that belongs to none of the fields. */
  remedy?: ReactNode
  className?: string
  children: ReactNode
}

/**
 * A form that the server checks: an error of a field is shown at the field and the first such field
 * gets the focus; any other error is shown above the fields. An error of a field goes when the
 * field is changed.
 */
export function Form({ id, error, fields, onSubmit, remedy, className, children }: Props) {
  const form = useRef<HTMLFormElement>(null)
  useFocusOnRefusal(form, error)
  useSubmitKey(form)
  const { isCorrected, correct } = useCorrections(error)
  const isPlaced = fields.some((field) => error?.errorOf?.(field))
  const errors = Object.fromEntries(
    fields.map((field) => [field, isCorrected(field) ? undefined : error?.errorOf?.(field)]),
  )
  return (
    // POST, as a form sent before its script has loaded must not put passwords into the address.
    <form
      ref={form}
      id={id}
      method="post"
      noValidate
      className={cn('grid gap-4', className)}
      onInput={(event) => correct(fieldOf(event))}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(event.currentTarget)
      }}
    >
      {error && !isPlaced && (
        <Notice tone="destructive" role="alert" actions={remedy}>
          {error.message}
        </Notice>
      )}
      <Correct value={correct}>
        <FieldErrors value={errors}>{children}</FieldErrors>
      </Correct>
    </form>
  )
}

const fieldOf = ({ target }: FormEvent) =>
  (target as HTMLElement).closest<HTMLElement>('[data-form-field]')?.dataset.formField ?? ''
