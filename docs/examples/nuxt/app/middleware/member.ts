export default defineNuxtRouteMiddleware((to) => {
  if (useUser().value) return
  const query = new URLSearchParams({ callbackUrl: to.fullPath })
  // The library serves this page, not Nuxt.
  return navigateTo(`/auth/signin?${query}`, { external: true })
})
