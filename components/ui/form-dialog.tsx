import { type ComponentProps, useId } from 'react'
import { Dialog, DialogButtons } from './dialog'
import { Form, type FormError } from './form'

type Props = Omit<ComponentProps<typeof Dialog>, 'footer'> &
  Omit<ComponentProps<typeof Form>, 'id' | 'error'> & {
    /** What sending does, as a verb. */
    submitLabel: string
    /** The last attempt to send it. */
    attempt: { isPending: boolean; error: FormError | null }
    /** Why that failed, if the attempt does not say it as the form shows it. */
    error?: FormError | null
    disabled?: boolean
  }

/** A form in a window of its own. The caller closes it after success. */
export function FormDialog(props: Props) {
  const { submitLabel, attempt, error = attempt.error, disabled, children, ...dialog } = props
  const { fields, onSubmit, remedy, className, ...rest } = dialog
  const id = useId()
  return (
    <Dialog
      {...rest}
      footer={
        <DialogButtons
          onCancel={rest.onClose}
          cancelDisabled={rest.stays}
          form={id}
          label={submitLabel}
          busy={attempt.isPending}
          disabled={disabled}
        />
      }
    >
      <Form {...{ id, error, fields, onSubmit, remedy, className }}>{children}</Form>
    </Dialog>
  )
}
