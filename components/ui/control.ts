/** The style of inputs and selects. */
export const controlClass =
  'w-full min-w-0 rounded-md border border-input bg-card px-2.5 text-control transition-colors ' +
  'placeholder:text-muted-foreground hover:border-muted-foreground/60 ' +
  'focus-visible:outline-2 focus-visible:-outline-offset-1 ' +
  'disabled:cursor-not-allowed disabled:opacity-60 [&[readonly]]:bg-muted ' +
  'data-invalid:border-destructive aria-invalid:border-destructive'
