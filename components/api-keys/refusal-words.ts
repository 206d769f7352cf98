import type { FormError } from '@/components/ui/form'

const NO_SCOPES = 'Select at least one right, or choose All of your rights'

/** Why a key without any selected right was refused, in the words of the form. */
export function withoutScopes(error: FormError | null): FormError | null {
  if (!error?.errorOf?.('scopes')) return error
  return {
    message: error.message,
    errorOf: (field) => (field === 'scopes' ? NO_SCOPES : error.errorOf?.(field)),
  }
}
