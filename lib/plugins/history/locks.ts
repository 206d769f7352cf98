/** Held for as long as the install runs: whoever finds it free may close what it left. */
export const installLock = (id: number) => `install:${id}`

/** Held by the one install of a plugin that is carried out. */
export const pluginLock = (pluginId: string) => `plugin:${pluginId}`
