/** Whether a plugin was made here: what it defines can be removed piece by piece. */
export const isMadeHere = (plugin: string | null): plugin is string =>
  plugin?.startsWith('local.') === true
