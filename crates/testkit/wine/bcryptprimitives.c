/* Test equipment: older versions of wine lack the DLL from which Rust programs take their random numbers. */
typedef int (__stdcall *fill)(void *, unsigned long);
__declspec(dllimport) void *__stdcall LoadLibraryA(const char *);
__declspec(dllimport) fill __stdcall GetProcAddress(void *, const char *);
__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *bytes, unsigned long long count)
{
    fill random = GetProcAddress(LoadLibraryA("advapi32.dll"), "SystemFunction036");
    return random && random(bytes, (unsigned long)count);
}
