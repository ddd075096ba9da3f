export default defineNuxtConfig({
  compatibilityDate: '2026-11-24',
  app: {
    head: {
      title: 'authmachine with Nuxt',
      htmlAttrs: { lang: 'en' },
      link: [{ rel: 'icon', href: 'data:,' }],
    },
  },
})
