/** A certificate of `localhost` that no authority has signed, and its key. Only for servers of tests. */
export const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQguWO50i5kMTzoIlyJ
3NeWh28vRPW+4Ek1BBGdFZre78ehRANCAARDx5Iy8OFlruerQ52FhuducirsBqnR
+XqatFNdoy3wxtEKaIgqXClPHkVYhxp0D7Cl6Rac6+T45Fof0z/iBZaG
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUOmp3lAiMb7RnQQFjvjgxIlOj5YYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNzE0MTQwNloYDzIxMjYxMTAz
MTQxNDA2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARDx5Iy8OFlruerQ52FhuducirsBqnR+XqatFNdoy3wxtEKaIgqXClP
HkVYhxp0D7Cl6Rac6+T45Fof0z/iBZaGo28wbTAdBgNVHQ4EFgQUJ/m9sW8WErmo
Bn9y/PnR3c+s210wHwYDVR0jBBgwFoAUJ/m9sW8WErmoBn9y/PnR3c+s210wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAIj2B5LvbnTIOliY4kXkS4E+hw4xqK3Xk/xFB0UJybAlAiAq
0x1IH0jykk2zVKpYVZzCzy6lPlP2Jb51j14z8xI+8w==
-----END CERTIFICATE-----
`,
} as const
