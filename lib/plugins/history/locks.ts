/** Held for as long as the install runs: a process that finds it free may close the install. */
export const installLock = (id: number) => `install:${id}`

/** Held by the one install of a plugin that is carried out. */
export const pluginLock = (pluginId: string) => `plugin:${pluginId}`
