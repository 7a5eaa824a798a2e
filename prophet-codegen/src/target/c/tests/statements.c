GV = 1;
P = 3.14;
long n = 2;
long unused = 0;
(void)unused;
double a[3] = {1, 2};
bool b[2] = {false};
for (long i = 0; i < n; i++)
{
    if (i == 1)
    {
        continue;
    }
    else if (ok)
    {
        break;
    }
    else
    {
        P += i;
    }
}
do
{
    a[n - 1] *= 2;
    b[0] = ok;
} while (a[1] < 9);
{
    long n_2 = 3;
    GV = n_2;
}
